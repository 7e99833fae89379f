import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { checkReferences } from './check-references.js'
import { type SessionContext, turnAway } from './stage-session.js'
import { refused, type StageListener, type StageMessage, type StageReply } from './stage-socket.js'
import { tryProbe } from './try-probe.js'

/**
 * Answers a stage, which may say only what its kind may say; whatever else it says is recorded as refused.
 * What breaks in the runner is never the stage's failure, whatever the stage makes of the reply.
 */
export const answerStage = (context: SessionContext): StageListener => {
  const guarded = async (reply: Promise<StageReply>): Promise<StageReply> => {
    try {
      return await reply
    } catch (cause) {
      context.session.fault = cause instanceof Error ? cause.message : String(cause)
      return refused('runner-failed', context.session.fault)
    }
  }
  return {
    answer: (message) => guarded(answer(context, message)),
    refuse: (tag, message) => guarded(turnAway(context, tag, message)),
  }
}

const answer = (context: SessionContext, { op, fields }: StageMessage): Promise<StageReply> => {
  const { stage } = context
  if (op === 'probe' && stage.kind === 'writer') return tryProbe(context, fields)
  if (op === 'check-references' && stage.kind === 'script') return checkReferences(context)
  if (op === 'verdict' && stage.kind === 'review') return takeVerdict(context, fields)
  const said = JSON.stringify(op.slice(0, 100))
  return turnAway(context, 'out-of-turn', `a ${stage.kind} stage may not say ${said}`)
}

const VerdictMessage = t.union([
  t.intersection([t.type({ verdict: t.literal('pass') }), t.partial({ notes: t.string })]),
  t.type({ verdict: t.literal('findings'), findings: t.array(t.string) }),
])

const takeVerdict = async (
  context: SessionContext,
  fields: Readonly<Record<string, unknown>>,
): Promise<StageReply> => {
  const { session } = context
  if (session.verdict !== null) return turnAway(context, 'out-of-turn', 'the verdict was given already')
  const message = VerdictMessage.decode(fields)
  if (E.isLeft(message)) return turnAway(context, 'malformed', 'expected a verdict, `pass` or `findings`')
  if (message.right.verdict === 'pass') {
    session.verdict = { verdict: 'pass', notes: storable(message.right.notes ?? '') }
    return { ok: true }
  }
  const findings = message.right.findings
    .map((text) => storable(text.trim()))
    .filter((text) => text !== '')
    .slice(0, mostFindings)
  if (findings.length === 0) return turnAway(context, 'malformed', 'findings without a finding')
  session.verdict = { verdict: 'findings', findings }
  return { ok: true }
}

/** Half of a surrogate pair, said or left by the cut, would be refused by the ledger and end the run. */
const storable = (text: string): string => text.slice(0, longestText).toWellFormed()

const longestText = 20_000
const mostFindings = 200
