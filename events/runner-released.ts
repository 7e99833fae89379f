import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The runner let go in good order before the job ended; the job can be resumed. */
export const RunnerReleased = defineEvent('RunnerReleased', 1, {
  runner: t.string,
  epoch: t.number,
  why: t.string,
  spentMs: t.number,
})
