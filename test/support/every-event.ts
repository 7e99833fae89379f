import type { DataOf, DocketEvent, DocketEventType } from '../../events/docket-event.js'
import {
  answers,
  artifact,
  decision,
  exitedWith,
  manifest,
  runner,
  submission,
  workspace,
} from './job-events.js'

const attempt = { round: 1, stage: 'reference', attempt: 1 }
const finding = { id: 'F1', source: 'check' as const, text: 'decision height disagrees' }
const check = { ...attempt, check: 'reference', args: ['{state}/a', '{state}/b'], rule: 1 }
const odd = { path: 'sub/.git', why: 'a repository of its own' }

/** The data of every type of event, each in at least one form; every nullable field is there as `null` too. */
export const everyData: { readonly [Type in DocketEventType]: ReadonlyArray<DataOf<Type>> } = {
  JobSubmitted: [
    submission(),
    {
      ...submission({
        ...manifest(),
        name: 'named',
        rework_from: null,
        agents: { claude: { command: ['claude', '-p'], env: ['KEY'] } },
        isolation: 'required',
        ignores: ['*.log'],
        writable: ['~/.cache'],
        touches: ['src/**'],
        stages: [
          { kind: 'writer', name: 'write', command: ['{agent}'], timeout_seconds: 5, agent: 'claude' },
          { kind: 'script', name: 's', command: ['s'], timeout_seconds: 1, on_fail: null, checks: [] },
        ],
      }),
      tools: [{ path: 'verdict', sha256: artifact.sha256 }],
    },
  ],
  JobClaimed: [{ ...runner, epoch: 1 }],
  RunnerLost: [{ runner: 'r1', epoch: 1, how: 'process 42 on here is gone' }],
  RunnerReleased: [{ runner: 'r1', epoch: 1, why: 'SIGINT', spentMs: 12.5 }],
  JobWaiting: (
    ['allowance-spent', 'faults-spent', 'relaunches-spent', 'out-of-time', 'unfulfilled'] as const
  ).map((why) => ({ why, message: 'round 3 failed', help: 'docket grant' })),
  JobAccepted: [
    { round: 1, workspace: workspace(), treeIsCommit: true, isolation: 'isolated' },
    {
      round: 2,
      workspace: { ...workspace(), leftOut: [odd] },
      treeIsCommit: false,
      isolation: 'same-user',
    },
  ],
  JobStopped: [{ round: 1, stage: 'test', findings: [finding] }],
  RoundStarted: [
    { round: 1, from: 'write', findings: [], cause: null },
    { round: 2, from: 'write', findings: [finding], cause: { round: 1, stage: 'test' } },
  ],
  RoundFailed: [
    { round: 1, stage: 'test', findings: [finding, { ...finding, id: 'F2', source: 'workspace' }] },
    { round: 1, stage: 'test', findings: [] },
  ],
  RoundPassed: [{ round: 1 }],
  StageStarted: [
    {
      ...attempt,
      kind: 'script',
      command: ['reference-check.sh', 'a b'],
      workspace: workspace(),
      timeoutSeconds: null,
      isolation: 'same-user',
      input: null,
    },
    {
      ...attempt,
      kind: 'writer',
      command: ['claude'],
      workspace: workspace(),
      timeoutSeconds: 1.5,
      isolation: 'isolated',
      input: artifact,
    },
  ],
  StageEnded: [
    {
      ...attempt,
      ending: exitedWith(0),
      outcome: 'passed',
      durationMs: 0.25,
      spentMs: 1,
      stdout: artifact,
      stderr: artifact,
      workspace: workspace(),
    },
    {
      ...attempt,
      ending: { cause: 'timed-out', code: null, signal: 'SIGKILL', message: 'took too long' },
      outcome: 'failed',
      durationMs: 3_700_000,
      spentMs: 3_700_000,
      stdout: artifact,
      stderr: artifact,
      workspace: workspace(),
    },
  ],
  StageFaulted: [{ ...attempt, message: 'the oracle did not start' }],
  WriterRelaunched: [{ ...attempt, why: 'it died of SIGSEGV' }],
  DecisionRecorded: [
    { round: 1, decision: decision('height') },
    { round: 1, decision: decision('odd', { probe: null, sources: ['gecko'] }) },
    { round: 1, decision: decision('constructor', { probe: [{ sha256: 'x', size: 1 }] }) },
  ],
  DecisionRevised: [{ round: 2, decision: decision('height', { choice: 'content' }), changed: ['choice'] }],
  DecisionWithdrawn: [{ round: 2, id: 'height' }],
  DecisionsRefused: [{ round: 1, reasons: ['[0].id: expected a name, got 7', '[1]: there twice'] }],
  ProbeTried: [{ ...attempt, request: artifact, response: artifact }],
  ReferencesAsked: [
    { ...attempt, oracle: 'docket oracle', notAsked: [] },
    { ...attempt, oracle: 'docket oracle', notAsked: [{ id: 'odd', why: 'it has no page' }] },
  ],
  ProbeAsked: [{ ...attempt, id: 'height', probe: artifact }],
  ProbeAnswered: [
    { ...attempt, id: 'height', answers: answers(1, 2, 3), response: artifact },
    {
      ...attempt,
      id: 'constructor',
      answers: {
        engines: {
          ...answers(1, 1, 1).engines,
          webkit: {
            version: '2.46',
            values: ['auto', null],
            nodes: 0,
            overflowed: true,
            error: 'it crashed',
          },
        },
        shapesDiffer: true,
      },
      response: artifact,
    },
  ],
  CheckPassed: [
    { ...check, notes: [] },
    { ...check, notes: ['odd is unchecked', 'split: all differ'] },
  ],
  CheckFailed: [{ ...check, messages: ['height disagrees'] }],
  CheckCouldNotRun: [{ ...check, why: 'the stage never asked' }],
  ReviewPassed: [
    { ...attempt, notes: '' },
    { ...attempt, notes: 'good' },
  ],
  ReviewFound: [{ ...attempt, findings: ['wrong', 'also wrong'] }],
  WorkdirClaimed: [{ job: 'abc', workdir: '/work dir' }],
  WorkdirReleased: [{ job: 'abc', workdir: '/work dir' }],
  JobImported: [
    {
      job: 'abc',
      ledger: '00000000-0000-4000-8000-000000000000',
      position: 7,
      hash: artifact.sha256,
      proof: true,
      record: artifact,
      artifacts: [artifact],
      summary: {
        name: 'a job',
        status: 'accepted',
        rounds: 2,
        failedRounds: 1,
        submittedAt: '2026-12-01T10:00:00.000000Z',
        changedAt: '2026-12-01T11:00:00.000000Z',
        workdir: '/work dir',
        why: null,
      },
    },
  ],
  CommandRefused: [
    { command: 'claim-job', stream: 'job-abc', refusal: 'job-waits', message: 'it waits for a person' },
  ],
}

/** Every one of them as an event. */
export const everyEvent: ReadonlyArray<DocketEvent> = Object.entries(everyData).flatMap(([type, forms]) =>
  // The table pairs each type with its data, which the compiler cannot follow through `entries`.
  forms.map((data) => ({ type, data }) as DocketEvent),
)
