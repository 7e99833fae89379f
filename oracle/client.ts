import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Answers } from '../domain/answer.js'
import { answersFrom } from '../domain/answers.js'
import { type Engine, engines } from '../domain/engine.js'
import type { Probe } from '../domain/probe.js'
import { lineReader } from './client/line-reader.js'
import { type OracleCommand, startOracle } from './client/oracle-child.js'
import type { OracleFailure } from './client/oracle-failure.js'
import { type OracleReply, readLine, replyFrom } from './client/read-line.js'
import { OracleDescription, type OracleRequest } from './protocol.js'

export type OracleQuestion = {
  /** The decision's id, which is the request's id too; no two questions share one. */
  readonly id: string
  readonly probe: Probe
}

export type AskOptions = {
  readonly command: OracleCommand
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds for everything (10 minutes), and without a line (2 minutes). */
  readonly totalMs?: number
  readonly silenceMs?: number
  /** How long it may take to go when asked to, and again after SIGTERM (5 seconds). */
  readonly graceMs?: number
  /** The longest line that is read (64 MiB): a dump of a page at the caps is far shorter. */
  readonly maxLineBytes?: number
  readonly signal?: AbortSignal
}

export type OracleAnswers = {
  /** By decision id, one for every question. */
  readonly answers: ReadonlyMap<string, Answers>
  /** The dumps and errors that the answers were cut from, by decision id. */
  readonly replies: ReadonlyMap<string, OracleReply>
  readonly versions: Readonly<Record<Engine, string>>
  /** Docket's own oracle describes itself; any other is `null`. */
  readonly description: OracleDescription | null
  /** Lines that were passed over: no JSON object, no or an unknown id, an id answered before. */
  readonly stray: { readonly notJson: number; readonly unknown: number; readonly repeated: number }
}

/**
 * Starts an oracle, puts every probe to the three engines once, all of them in flight, and ends it.
 * Never starts one for no questions.
 *
 * An oracle need know no more than the frozen protocol: it is asked to describe itself only after its
 * last answer, and nothing waits for that. It has answered everything or it has failed; what it said of
 * some of the probes is not used then, since the next attempt asks again.
 */
export const askOracle =
  (questions: ReadonlyArray<OracleQuestion>, options: AskOptions): TaskEither<OracleFailure, OracleAnswers> =>
  async () => {
    const log = emptyLog()
    const failure = questions.length === 0 ? null : await converse(questions, options, log)
    if (failure !== null) return E.left(failure)
    const described = OracleDescription.decode(log.description)
    const description = E.isRight(described) ? described.right : null
    const versions = versionsIn(description)
    const answers = questions.map(({ id, probe }): readonly [string, Answers] => {
      const reply = log.replies.get(id) ?? { dumps: {}, errors: {} }
      return [id, answersFrom(probe, reply.dumps, reply.errors, versions)]
    })
    return E.right({
      answers: new Map(answers),
      replies: log.replies,
      versions,
      description,
      stray: log.stray,
    })
  }

/** No decision has such an id: it has a character that ids do not have. */
const describeId = 'docket:describe'
const shutdownId = 'docket:shutdown'

/** What has been heard so far. */
type Log = {
  readonly replies: Map<string, OracleReply>
  readonly stray: { notJson: number; unknown: number; repeated: number }
  description: unknown
  stderr: Buffer
}

const emptyLog = (): Log => ({
  replies: new Map(),
  stray: { notJson: 0, unknown: 0, repeated: 0 },
  description: null,
  stderr: Buffer.alloc(0),
})

const converse = async (
  questions: ReadonlyArray<OracleQuestion>,
  options: AskOptions,
  log: Log,
): Promise<OracleFailure | null> => {
  const { totalMs = 600_000, silenceMs = 120_000, graceMs = 5_000, maxLineBytes = 64 * 1024 * 1024 } = options
  const asked = new Set(questions.map(({ id }) => id))
  const unanswered = (): number => asked.size - log.replies.size
  const stderr = (): string => log.stderr.toString('utf8')

  let settle: (failure: OracleFailure | null) => void = () => {}
  const settled = new Promise<OracleFailure | null>((resolve) => {
    settle = resolve
  })
  const timeOut = (after: 'silence' | 'total', milliseconds: number): void =>
    settle({ tag: 'timed-out', after, milliseconds, stderr: stderr(), unanswered: unanswered() })

  const reader = lineReader(
    maxLineBytes,
    (line) => {
      silence.refresh()
      halfSilence.refresh()
      hear(readLine(line), asked, log)
      if (unanswered() === 0) settle(null)
    },
    () => settle({ tag: 'line-too-long', maxBytes: maxLineBytes }),
  )
  const child = startOracle(options.command, options, {
    onOutput: reader.push,
    onDiagnostics: (chunk) => {
      log.stderr = Buffer.concat([log.stderr, chunk]).subarray(-4096)
    },
    onFailedStart: (message) => settle({ tag: 'could-not-start', message }),
    onGone: (code, signal) => {
      reader.end()
      settle({ tag: 'exited-early', code, signal, stderr: stderr(), unanswered: unanswered() })
    },
  })
  const total = setTimeout(() => timeOut('total', totalMs), totalMs)
  const silence = setTimeout(() => timeOut('silence', silenceMs), silenceMs)
  // A simple oracle may read all of its input before it answers any of it.
  const halfSilence = setTimeout(child.endInput, silenceMs / 4)
  const abort = (): void => settle({ tag: 'aborted' })
  options.signal?.addEventListener('abort', abort)
  if (options.signal?.aborted === true) abort()

  for (const { id, probe } of questions) {
    const request: OracleRequest = { id, html: probe.html, engines }
    child.send(request)
  }
  const failure = await settled
  for (const timer of [total, silence, halfSilence]) clearTimeout(timer)
  options.signal?.removeEventListener('abort', abort)
  if (failure === null) {
    child.send({ id: describeId, op: 'describe' })
    child.send({ id: shutdownId, op: 'shutdown' })
  }
  await child.stop(failure === null ? graceMs : 0, graceMs)
  return failure
}

const hear = (line: ReturnType<typeof readLine>, asked: ReadonlySet<string>, log: Log): void => {
  if (line.tag === 'not-json') log.stray.notJson += 1
  else if (line.tag === 'without-id') log.stray.unknown += 1
  else if (line.id === describeId) log.description = line.body
  else if (line.id === shutdownId) return
  else if (!asked.has(line.id)) log.stray.unknown += 1
  else if (log.replies.has(line.id)) log.stray.repeated += 1
  else log.replies.set(line.id, replyFrom(line.body))
}

const versionsIn = (description: OracleDescription | null): Readonly<Record<Engine, string>> => {
  const versionOf = (engine: Engine): string => description?.engines[engine]?.version ?? 'unknown'
  return { chromium: versionOf('chromium'), firefox: versionOf('firefox'), webkit: versionOf('webkit') }
}
