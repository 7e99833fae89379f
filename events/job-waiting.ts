import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The job goes on only when a person helps: why, and what would help. */
export const JobWaiting = defineEvent('JobWaiting', 1, {
  why: t.keyof({
    'allowance-spent': null,
    'faults-spent': null,
    'relaunches-spent': null,
    'out-of-time': null,
    unfulfilled: null,
  }),
  message: t.string,
  help: t.string,
})
