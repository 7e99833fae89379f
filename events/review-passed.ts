import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The reviewer has no finding. */
export const ReviewPassed = defineEvent('ReviewPassed', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  notes: t.string,
})
