import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'

/** The runner sends the probe of a decision to its own oracle. */
export const ProbeAsked = defineEvent('ProbeAsked', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  id: t.string,
  probe: Artifact,
})
