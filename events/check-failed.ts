import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A check turned the round down. */
export const CheckFailed = defineEvent('CheckFailed', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  check: t.string,
  args: t.readonlyArray(t.string),
  rule: t.number,
  messages: t.readonlyArray(t.string),
})
