/** A command that an invariant turned down. One condition, one tag. */
export type Refusal = { readonly tag: RefusalTag; readonly message: string }

export type RefusalTag =
  | 'job-exists'
  | 'job-unknown'
  | 'job-ended'
  | 'job-waits'
  | 'job-has-runner'
  | 'claim-lost'
  | 'out-of-time'
  | 'stage-not-due'
  | 'stage-not-running'
  | 'out-of-turn'
  | 'malformed'
  | 'bad-token'
  | 'not-a-message'
  | 'too-long'
  | 'answers-incomplete'
  | 'workdir-taken'
  | 'command-id-reused'

export const refusal = (tag: RefusalTag, message: string): Refusal => ({ tag, message })
