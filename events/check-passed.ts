import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'
import { checkCall } from './values/check-call.js'

/** A check held; its notes are for the review. `rule` is the version of the rule that judged. */
export const CheckPassed = defineEvent('CheckPassed', 1, {
  ...attempt,
  ...checkCall,
  notes: t.readonlyArray(t.string),
})
