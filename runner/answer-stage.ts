import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { checkReferences } from './check-references.js'
import { type SessionContext, turnAway } from './stage-session.js'
import { refused, type StageMessage, type StageReply } from './stage-socket.js'
import { tryProbe } from './try-probe.js'

/** Answers a stage, which may say only what its kind may say; whatever else it says is recorded as refused. */
export const answerStage =
  (context: SessionContext) =>
  async ({ op, fields }: StageMessage): Promise<StageReply> => {
    const { stage, session } = context
    try {
      if (op === 'probe' && stage.kind === 'writer') return await tryProbe(context, fields)
      if (op === 'check-references' && stage.kind === 'script') return await checkReferences(context)
      if (op === 'verdict' && stage.kind === 'review') return await takeVerdict(context, fields)
      return await turnAway(context, `a ${stage.kind} stage may not say ${JSON.stringify(op.slice(0, 100))}`)
    } catch (cause) {
      // What breaks in the runner is never the stage's failure, whatever the stage makes of the reply.
      session.fault = cause instanceof Error ? cause.message : String(cause)
      return refused('runner-failed', session.fault)
    }
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
  if (session.verdict !== null) return turnAway(context, 'the verdict was given already')
  const message = VerdictMessage.decode(fields)
  if (E.isLeft(message)) return refused('malformed', 'expected a verdict, `pass` or `findings`')
  if (message.right.verdict === 'pass') {
    session.verdict = { verdict: 'pass', notes: (message.right.notes ?? '').slice(0, longestText) }
    return { ok: true }
  }
  const findings = message.right.findings
    .map((text) => text.trim().slice(0, longestText))
    .filter((text) => text !== '')
    .slice(0, mostFindings)
  if (findings.length === 0) return refused('malformed', 'findings without a finding')
  session.verdict = { verdict: 'findings', findings }
  return { ok: true }
}

const longestText = 20_000
const mostFindings = 200
