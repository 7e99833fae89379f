import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** An invariant turned a command down: who tried what, and why not. */
export const CommandRefused = defineEvent('CommandRefused', 1, {
  command: t.string,
  stream: t.string,
  refusal: t.string,
  message: t.string,
})
