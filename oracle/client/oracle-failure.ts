/** Why an oracle gave no answers. None of these is the writer's fault. */
export type OracleFailure =
  | { readonly tag: 'could-not-start'; readonly message: string }
  | {
      /** It ended before every probe had its answer. */
      readonly tag: 'exited-early'
      readonly code: number | null
      readonly signal: string | null
      /** The end of what it wrote to stderr, 4,096 bytes at most. */
      readonly stderr: string
      readonly unanswered: number
    }
  | {
      readonly tag: 'timed-out'
      readonly after: 'silence' | 'total'
      readonly milliseconds: number
      readonly stderr: string
      readonly unanswered: number
    }
  | { readonly tag: 'line-too-long'; readonly maxBytes: number }
  | { readonly tag: 'aborted' }

/** The failure for a person, on one line but for what the oracle itself wrote. */
export const describeOracleFailure = (failure: OracleFailure): string => {
  switch (failure.tag) {
    case 'could-not-start':
      return `the oracle could not start: ${failure.message}`
    case 'exited-early': {
      const how = failure.signal === null ? `exited with ${failure.code}` : `was ended by ${failure.signal}`
      return `the oracle ${how}, ${left(failure.unanswered)}${said(failure.stderr)}`
    }
    case 'timed-out': {
      const seconds = failure.milliseconds / 1000
      const how = failure.after === 'silence' ? `was silent for ${seconds} s` : `took more than ${seconds} s`
      return `the oracle ${how}, ${left(failure.unanswered)}${said(failure.stderr)}`
    }
    case 'line-too-long':
      return `the oracle wrote a line of more than ${failure.maxBytes} bytes`
    case 'aborted':
      return 'the oracle was stopped before it had answered'
  }
}

const left = (unanswered: number): string =>
  `with ${unanswered} probe${unanswered === 1 ? '' : 's'} unanswered`

const said = (stderr: string): string => (stderr.trim() === '' ? '' : `; it said: ${stderr.trim()}`)
