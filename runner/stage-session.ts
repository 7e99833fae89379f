import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { handle } from '../commands/handle.js'
import type { StageCommand } from '../commands/job/guards.js'
import type { Verdict } from '../commands/job/stage-end.js'
import { type RefusalTag, refusal } from '../commands/refusal.js'
import type { Stage } from '../domain/manifest.js'
import { jobStream } from '../events/read-stream.js'
import type { JobCommands } from './job-commands.js'
import type { Runner } from './runner.js'
import { refused, type StageReply } from './stage-socket.js'

/** What one run of a stage said over its socket, and what the runner found out while it answered. */
export type StageSession = {
  verdict: Verdict | null
  /** Bytes that the reference check derived, once the stage has asked for it. */
  references: string | null
  /** What went wrong on the runner's side. */
  fault: string | null
  /** How many refused messages were recorded. */
  refusals: number
}

export const newSession = (): StageSession => ({ verdict: null, references: null, fault: null, refusals: 0 })

export type SessionContext = {
  readonly runner: Runner
  readonly commands: JobCommands
  readonly stage: Stage
  readonly command: StageCommand
  /** Tells this run of this stage from every other of the job; part of the ids of its commands. */
  readonly key: string
  readonly session: StageSession
  /** Aborted when the stage has ended or the runner is told to stop: no browser is waited for any more. */
  readonly signal: AbortSignal
}

/** A stage could fill the ledger with refusals; what it says beyond so many in one run is refused unrecorded. */
const mostRecorded = 100

/** Refuses what a stage said; the ledger shows what was tried, on the stream of refusals. */
export const turnAway = async (
  context: SessionContext,
  tag: RefusalTag,
  message: string,
): Promise<StageReply> => {
  const { runner, commands, command, key, session } = context
  if (session.refusals === mostRecorded) return refused(tag, message)
  session.refusals += 1
  const last = session.refusals === mostRecorded ? '; further ones of this run are not recorded' : ''
  await handle(
    runner.store,
    {
      name: 'stage-message',
      initial: null,
      evolve: (state) => state,
      decide: () => E.left(refusal(tag, `${message}${last}`)),
    },
    {
      stream: jobStream(commands.job),
      actor: `stage:${command.stage}`,
      commandId: `${commands.job}/${commands.epoch}/${key}/message/${randomUUID()}`,
      correlationId: commands.job,
    },
    null,
  )
  return refused(tag, message)
}
