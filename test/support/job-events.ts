import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import type { EndStage } from '../../commands/job/stage-end.js'
import type { Answers } from '../../domain/answer.js'
import type { Decision } from '../../domain/decision.js'
import type { Manifest } from '../../domain/manifest.js'
import type { DataOf, DocketEvent } from '../../events/docket-event.js'
import { JobClaimed } from '../../events/job-claimed.js'
import { JobSubmitted } from '../../events/job-submitted.js'
import { RoundFailed } from '../../events/round-failed.js'
import { RoundStarted } from '../../events/round-started.js'
import { StageEnded } from '../../events/stage-ended.js'
import { StageStarted } from '../../events/stage-started.js'
import type { Workspace } from '../../events/values/workspace.js'

/** A manifest with the four stages of the seed's example. */
export const manifest = (limits: Partial<Manifest['limits']> = {}): Manifest => ({
  name: null,
  limits: { wall_clock_seconds: 60, writer_relaunches: 1, failed_rounds: 2, fault_reruns: 3, ...limits },
  rework_from: 'write',
  agents: {},
  isolation: 'preferred',
  ignores: [],
  writable: [],
  touches: [],
  stages: [
    { kind: 'writer', name: 'write', command: ['writer'], timeout_seconds: null, agent: null },
    {
      kind: 'script',
      name: 'test',
      command: ['test'],
      timeout_seconds: null,
      on_fail: 'rework',
      checks: [],
    },
    {
      kind: 'script',
      name: 'reference',
      command: ['reference-check.sh'],
      timeout_seconds: null,
      on_fail: 'rework',
      checks: [{ check: 'reference', args: ['a', 'b'] }],
    },
    { kind: 'review', name: 'review', command: ['review'], timeout_seconds: null, agent: null },
  ],
})

/** The bytes that every event of these names. */
export const artifactBytes = Buffer.from('ab')
export const artifact = { sha256: createHash('sha256').update(artifactBytes).digest('hex'), size: 2 }

export const workspace = (tree = 'tree-1'): Workspace => ({
  tree,
  commit: 'commit-1',
  commitTree: tree,
  leftOut: [],
})

export const submission = (of: Manifest = manifest()): DataOf<'JobSubmitted'> => ({
  name: 'boxes',
  manifest: of,
  manifestFile: artifact,
  manifestFolder: '/jobs',
  workdir: '/work',
  state: '/state',
  base: workspace('tree-0'),
  tools: [],
})

export const runner: Omit<DataOf<'JobClaimed'>, 'epoch'> = {
  runner: 'r1',
  host: 'here',
  bootId: 'boot',
  pidNamespace: 'pid:[1]',
  pid: 42,
  startTime: '7',
  docket: '0.1.0',
  node: 'v20.0.0',
}

export const claimed = (epoch = 1) => JobClaimed.of({ ...runner, epoch })

export const roundStarted = (round: number, cause: string | null = null, texts: ReadonlyArray<string> = []) =>
  RoundStarted.of({
    round,
    from: 'write',
    findings: texts.map((text, index) => ({ id: `F${index + 1}`, source: 'stage' as const, text })),
    cause: cause === null ? null : { round: round - 1, stage: cause },
  })

/** A job that is claimed and whose round 1 has begun. */
export const begun = (of: Manifest = manifest()): ReadonlyArray<DocketEvent> => [
  JobSubmitted.of(submission(of)),
  claimed(),
  roundStarted(1),
]

export const stageStarted = (
  round: number,
  stage: string,
  attempt = 1,
  tree = 'tree-1',
): ReturnType<typeof StageStarted.of> => {
  const kind = stage === 'write' ? 'writer' : stage === 'review' ? 'review' : 'script'
  return StageStarted.of({
    round,
    stage,
    attempt,
    kind,
    command: [stage],
    workspace: workspace(kind === 'writer' ? 'tree-0' : tree),
    timeoutSeconds: null,
    isolation: 'same-user',
    input: null,
  })
}

export const exitedWith = (code: number): EndStage['ending'] => ({
  cause: 'exited',
  code,
  signal: null,
  message: null,
})

export const stageEnded = (
  round: number,
  stage: string,
  outcome: DataOf<'StageEnded'>['outcome'] = 'passed',
  more: Partial<DataOf<'StageEnded'>> = {},
) =>
  StageEnded.of({
    round,
    stage,
    attempt: 1,
    ending: exitedWith(outcome === 'passed' ? 0 : 1),
    outcome,
    durationMs: 1000,
    spentMs: 1000,
    stdout: artifact,
    stderr: artifact,
    workspace: workspace(),
    ...more,
  })

/** A stage that ran and passed, on the tree that the writer left. */
export const passedStage = (round: number, stage: string): ReadonlyArray<DocketEvent> => [
  stageStarted(round, stage),
  stageEnded(round, stage),
]

/** A round that stage `test` turned down. */
export const failedRound = (round: number): ReadonlyArray<DocketEvent> => [
  ...passedStage(round, 'write'),
  stageStarted(round, 'test'),
  stageEnded(round, 'test', 'failed'),
  RoundFailed.of({
    round,
    stage: 'test',
    findings: [{ id: `F${round}`, source: 'stage', text: 'it failed' }],
  }),
]

/** The command that ends a stage well, with what differs from that. */
export const ending = (stage: string, more: Partial<EndStage> = {}): EndStage => ({
  epoch: 1,
  stage,
  attempt: 1,
  ending: exitedWith(0),
  durationMs: 1000,
  spentMs: 1000,
  stdout: artifact,
  stderr: artifact,
  workspace: workspace(),
  lastWords: '',
  changed: [],
  fault: null,
  decisions: E.right([]),
  checks: [],
  verdict: null,
  ...more,
})

export const decision = (id: string, more: Partial<Decision> = {}): Decision => ({
  id,
  question: 'how high?',
  spec: 'CSS 2.1, 10.5',
  choice: 'auto',
  probe: { html: '<p>', expect: [{ node: 0, field: 'bounding.h', value: 1 }] },
  sources: [],
  ...more,
})

const answer = (value: number | null, error: string | null = null) => ({
  version: '1',
  values: [value],
  nodes: error === null ? 3 : 0,
  overflowed: false,
  error,
})

export const answers = (chromium: number, firefox: number, webkit: number): Answers => ({
  engines: { chromium: answer(chromium), firefox: answer(firefox), webkit: answer(webkit) },
  shapesDiffer: false,
})
