import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A check held; its notes are for the review. `rule` is the version of the rule that judged. */
export const CheckPassed = defineEvent('CheckPassed', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  check: t.string,
  args: t.readonlyArray(t.string),
  rule: t.number,
  notes: t.readonlyArray(t.string),
})
