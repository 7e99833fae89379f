import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { FindingValue } from './values/finding.js'

/** A stage failed that the manifest does not send back to the writer. */
export const JobStopped = defineEvent('JobStopped', 1, {
  round: t.number,
  stage: t.string,
  findings: t.readonlyArray(FindingValue),
})
