import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { DecisionValue } from './values/decision.js'

/** The writer changed a call: `changed` names the fields that differ from the one before. */
export const DecisionRevised = defineEvent('DecisionRevised', 1, {
  round: t.number,
  decision: DecisionValue,
  changed: t.readonlyArray(t.string),
})
