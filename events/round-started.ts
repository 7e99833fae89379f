import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { FindingValue } from './values/finding.js'

/** A pass of the stages begins, with the findings that it must answer and the failed round that caused it. */
export const RoundStarted = defineEvent('RoundStarted', 1, {
  round: t.number,
  from: t.string,
  findings: t.readonlyArray(FindingValue),
  cause: t.union([t.strict({ round: t.number, stage: t.string }), t.null]),
})
