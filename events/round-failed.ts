import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { FindingValue } from './values/finding.js'

/** A stage, check or review turned the round down; this spends one failed round. */
export const RoundFailed = defineEvent('RoundFailed', 1, {
  round: t.number,
  stage: t.string,
  findings: t.readonlyArray(FindingValue),
})
