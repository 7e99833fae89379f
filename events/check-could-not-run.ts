import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'
import { checkCall } from './values/check-call.js'

/** A check could not judge; that is a fault and never the writer's failure. */
export const CheckCouldNotRun = defineEvent('CheckCouldNotRun', 1, {
  ...attempt,
  ...checkCall,
  why: t.string,
})
