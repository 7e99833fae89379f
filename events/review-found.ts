import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The reviewer sends the job back. */
export const ReviewFound = defineEvent('ReviewFound', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  findings: t.readonlyArray(t.string),
})
