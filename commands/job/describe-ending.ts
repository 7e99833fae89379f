import type { Ending } from '../../events/values/ending.js'

/** How a process ended, in words: `exit 1`, `ended by SIGKILL`, `timed out`. */
export const describeEnding = ({ cause, code, signal, message }: Ending): string => {
  switch (cause) {
    case 'exited':
      return signal === null ? `exit ${code}` : `ended by ${signal}`
    case 'timed-out':
      return 'timed out'
    case 'out-of-time':
      return 'ended because the time of the job was spent'
    case 'interrupted':
      return 'interrupted'
    case 'could-not-start':
      return `could not start: ${message ?? 'unknown cause'}`
  }
}

export const endedWell = (ending: Ending): boolean => ending.cause === 'exited' && ending.code === 0
