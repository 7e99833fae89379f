import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Answers } from '../../domain/answer.js'
import { checkDecisions } from '../../domain/check-decisions.js'
import { type Decisions, decisionsMaxBytes, readDecisions } from '../../domain/decision.js'
import { renderViolation } from '../../domain/decode.js'
import { readProbe } from '../../domain/probe.js'
import { renderReferenceCheck } from '../../domain/render-reference-check.js'
import { describeOracleFailure } from '../../oracle/client/oracle-failure.js'
import { askOracle, type OracleQuestion } from '../../oracle/client.js'
import { readStageFile } from '../../runner/read-stage-file.js'
import { oracleCommand } from './oracle-command.js'

export type ByHand = {
  readonly state: string
  readonly workdir: string
  readonly env: NodeJS.ProcessEnv
  /** The `import.meta.url` of the tool that asks. */
  readonly tool: string
  readonly signal: AbortSignal
}

/**
 * The reference check without a job: reads `decisions.json`, asks an oracle, and gives the text of
 * `reference-check.json`; or says, in `Left`, whether the decisions or the oracle are at fault. An oracle
 * is started only when there is a probe to ask.
 */
export const checkByHand = async (input: ByHand): Promise<E.Either<string, string>> => {
  const decisions = await decisionsIn(input.state)
  if (E.isLeft(decisions)) return decisions
  const answers = await answersTo(decisions.right, input)
  if (E.isLeft(answers)) return answers
  return E.right(renderReferenceCheck(checkDecisions(decisions.right, answers.right)))
}

const decisionsIn = async (state: string): Promise<E.Either<string, Decisions>> => {
  const file = await readStageFile(join(state, 'decisions.json'), decisionsMaxBytes)
  if (file.tag === 'unreadable') return E.left(`decisions.json cannot be read: ${file.why}`)
  const decisions = readDecisions(file.tag === 'missing' ? null : file.bytes)
  if (E.isRight(decisions)) return decisions
  const reasons = decisions.left.map((violation) => `\n  ${renderViolation(violation)}`)
  return E.left(`decisions.json is malformed:${reasons.join('')}`)
}

const answersTo = async (
  decisions: Decisions,
  { env, workdir, tool, signal }: ByHand,
): Promise<E.Either<string, ReadonlyMap<string, Answers>>> => {
  const questions = decisions.flatMap(({ id, probe: written }): ReadonlyArray<OracleQuestion> => {
    const probe = readProbe(written)
    return E.isRight(probe) ? [{ id, probe: probe.right }] : []
  })
  if (questions.length === 0) return E.right(new Map())
  const command = oracleCommand(env, workdir, tool)
  if (command === null) return E.left('the oracle could not start: there is none here; set JOBS_ORACLE')
  const asked = await askOracle(questions, { command, cwd: workdir, env, signal })()
  return E.isLeft(asked) ? E.left(describeOracleFailure(asked.left)) : E.right(asked.right.answers)
}
