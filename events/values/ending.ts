import * as t from 'io-ts'

/**
 * How a stage's process ended. `cause` is what ended it first: `exited` by itself, `timed-out` under
 * its own limit, `out-of-time` under the job's, `interrupted` because the runner was told to stop,
 * `could-not-start` when there was no process at all. `code` and `signal` are the system's own words.
 */
export const Ending = t.strict(
  {
    cause: t.keyof({
      exited: null,
      'timed-out': null,
      'out-of-time': null,
      interrupted: null,
      'could-not-start': null,
    }),
    code: t.union([t.number, t.null]),
    signal: t.union([t.string, t.null]),
    message: t.union([t.string, t.null]),
  },
  'Ending',
)
export type Ending = t.TypeOf<typeof Ending>
