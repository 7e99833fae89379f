import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The runner that held the claim died without a word; what it spent since its last sign of life is not known. */
export const RunnerLost = defineEvent('RunnerLost', 1, {
  runner: t.string,
  epoch: t.number,
  how: t.string,
})
