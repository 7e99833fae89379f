import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'

/** The reviewer sends the job back. */
export const ReviewFound = defineEvent('ReviewFound', 1, {
  ...attempt,
  findings: t.readonlyArray(t.string),
})
