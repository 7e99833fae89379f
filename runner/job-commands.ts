import * as E from 'fp-ts/lib/Either.js'
import type { Decide } from '../commands/decider.js'
import { handle } from '../commands/handle.js'
import { evolve } from '../commands/job/evolve.js'
import { absent, type Job, type JobState } from '../commands/job/state.js'
import { jobStream, readStream } from '../events/read-stream.js'
import { foldJob } from '../projections/job/fold.js'
import type { JobView } from '../projections/job/view.js'
import { RunEnded } from './failure.js'
import type { Runner } from './runner.js'

/**
 * Sends the commands of one job under one claim. A command that is refused, or that cannot be appended,
 * ends the run: `RunEnded` is thrown, since whoever drives on has lost its ground.
 */
export type JobCommands = {
  readonly job: string
  readonly epoch: number
  send<Command>(name: string, key: string, decide: Decide<JobState, Command>, command: Command): Promise<Job>
  view(): Promise<JobView>
}

export const jobCommands = ({ store, identity }: Runner, job: string, epoch: number): JobCommands => ({
  job,
  epoch,
  send: async (name, key, decide, command) => {
    const handled = await handle(
      store,
      { name, initial: absent, evolve, decide },
      {
        stream: jobStream(job),
        actor: `runner:${identity.runner}`,
        commandId: `${job}/${epoch}/${key}/${name}`,
        correlationId: job,
        epoch,
      },
      command,
    )
    if (E.isLeft(handled)) throw new RunEnded(handled.left)
    return present(handled.right.state)
  },
  view: async () => {
    const view = foldJob(await readStream(store, jobStream(job)))
    if (view === null) throw new Error(`job ${job} has no events`)
    return view
  },
})

const present = (state: JobState): Job => {
  if (state.status === 'absent') throw new Error('a command was taken by a job that does not exist')
  return state
}
