import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'
import { checkCall } from './values/check-call.js'

/** A check turned the round down. */
export const CheckFailed = defineEvent('CheckFailed', 1, {
  ...attempt,
  ...checkCall,
  messages: t.readonlyArray(t.string),
})
