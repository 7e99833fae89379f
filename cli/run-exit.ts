import type { JobView } from '../projections/job/view.js'
import type { RunFailure } from '../runner/failure.js'
import { CommandFailed, exits } from './exit.js'

/** The exit code of a command that drove a job: how the job stands, or the signal that stopped it. */
export const exitOf = (view: JobView, stoppedBy: 'SIGINT' | 'SIGTERM' | null): number => {
  switch (view.status) {
    case 'accepted':
      return exits.done
    case 'stopped':
      return exits.no
    case 'waiting':
      return view.waiting?.why === 'out-of-time' ? exits.outOfTime : exits.waits
    case 'ready':
    case 'running':
      return stoppedBy === 'SIGTERM' ? exits.terminated : exits.interrupted
  }
}

/** What a run that could not be begun or driven on tells the person. */
export const failedRun = (failure: RunFailure): CommandFailed => {
  switch (failure.tag) {
    case 'bad-input':
      return new CommandFailed(exits.usage, ...failure.reasons)
    case 'missing':
      return new CommandFailed(exits.missing, ...failure.reasons)
    case 'refused':
      return new CommandFailed(exits.runRefused, `refused: ${failure.refusal.message}`)
    case 'not-appended': {
      const { failure: why } = failure
      const message =
        'message' in why ? why.message : 'reason' in why ? `${why.path}: ${why.reason}` : why.tag
      return new CommandFailed(exits.missing, `the ledger did not take an event: ${message}`)
    }
  }
}
