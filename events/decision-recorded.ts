import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { DecisionValue } from './values/decision.js'

/** The writer made a call on an open question. */
export const DecisionRecorded = defineEvent('DecisionRecorded', 1, {
  round: t.number,
  decision: DecisionValue,
})
