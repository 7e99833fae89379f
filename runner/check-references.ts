import * as E from 'fp-ts/lib/Either.js'
import { askReferences } from '../commands/ask-references.js'
import { recordAnswers } from '../commands/record-answers.js'
import type { Decision } from '../domain/decision.js'
import { type Probe, readProbe } from '../domain/probe.js'
import { describeOracleFailure } from '../oracle/client/oracle-failure.js'
import { askOracle, type OracleAnswers } from '../oracle/client.js'
import { referenceFile } from '../projections/reference-file.js'
import { type SessionContext, turnAway } from './stage-session.js'
import { refused, type StageReply } from './stage-socket.js'

/**
 * The reference stage asked for its check: the runner puts every well-formed probe of the recorded
 * decisions to its own oracle, appends the answers, and returns the file that they derive. An oracle that
 * fails is the runner's own record of a fault.
 */
export const checkReferences = async (context: SessionContext): Promise<StageReply> => {
  const { runner, commands, command, stage, session, key } = context
  if (stage.kind !== 'script' || !stage.checks.some(({ check }) => check === 'reference')) {
    return turnAway(context, 'out-of-turn', 'this stage has no reference check')
  }
  if (session.references !== null || session.fault !== null) {
    return turnAway(context, 'out-of-turn', 'the browsers were asked already in this attempt')
  }
  const { asked, notAsked } = sort((await commands.view()).decisions.map(({ decision }) => decision))
  const probes = await Promise.all(
    asked.map(async ({ id, probe }) => ({
      id,
      probe: await runner.store.putArtifact(Buffer.from(JSON.stringify(probe))),
    })),
  )
  const oracle = typeof runner.oracle === 'string' ? runner.oracle : runner.oracle.join(' ')
  await commands.send('ask-references', key, askReferences, { ...command, oracle, probes, notAsked })

  const answered = await askOracle(asked, {
    command: runner.oracle,
    env: runner.env,
    signal: context.signal,
  })()
  if (E.isLeft(answered) && answered.left.tag === 'aborted') {
    return refused('stopped', 'the stage ended before the browsers had answered')
  }
  const failure = E.isLeft(answered) ? describeOracleFailure(answered.left) : notStarted(answered.right)
  if (E.isLeft(answered) || failure !== null) {
    session.fault = failure
    return refused('oracle-failed', failure ?? '')
  }
  const answers = await keepAnswers(context, answered.right)
  if (answers.length > 0) {
    await commands.send('record-answers', key, recordAnswers, { ...command, answers })
  }
  session.references = referenceFile(await commands.view()) ?? ''
  return { ok: true, file: session.references }
}

/**
 * An engine that never started says nothing about any page: that is a fault, and its silence leaves no decision
 * unchecked. Only an oracle that describes itself can tell it from an engine that failed on one page.
 */
const notStarted = ({ description }: OracleAnswers): string | null => {
  const down = Object.entries(description?.errors ?? {})
  return down.length === 0 ? null : down.map(([engine, why]) => `${engine} did not start: ${why}`).join('; ')
}

type Sorted = {
  readonly asked: ReadonlyArray<{ readonly id: string; readonly probe: Probe }>
  readonly notAsked: ReadonlyArray<{ readonly id: string; readonly why: string }>
}

const sort = (decisions: ReadonlyArray<Decision>): Sorted =>
  decisions.reduce<Sorted>(
    ({ asked, notAsked }, { id, probe }) => {
      const read = readProbe(probe)
      return E.isLeft(read)
        ? { asked, notAsked: [...notAsked, { id, why: read.left }] }
        : { asked: [...asked, { id, probe: read.right }], notAsked }
    },
    { asked: [], notAsked: [] },
  )

const keepAnswers = ({ runner }: SessionContext, { answers, replies }: OracleAnswers) =>
  Promise.all(
    [...answers].map(async ([id, given]) => {
      const whole = Buffer.from(JSON.stringify(replies.get(id) ?? null))
      return { id, answers: given, response: await runner.store.putArtifact(whole) }
    }),
  )
