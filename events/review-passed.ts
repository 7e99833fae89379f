import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'

/** The reviewer has no finding. */
export const ReviewPassed = defineEvent('ReviewPassed', 1, {
  ...attempt,
  notes: t.string,
})
