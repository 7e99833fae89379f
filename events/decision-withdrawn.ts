import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A decision of an earlier round is gone from the file. */
export const DecisionWithdrawn = defineEvent('DecisionWithdrawn', 1, {
  round: t.number,
  id: t.string,
})
