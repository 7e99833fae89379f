import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A check could not judge; that is a fault and never the writer's failure. */
export const CheckCouldNotRun = defineEvent('CheckCouldNotRun', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  check: t.string,
  args: t.readonlyArray(t.string),
  rule: t.number,
  why: t.string,
})
