import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'
import { attempt } from './values/attempt.js'

/** The runner sends the probe of a decision to its own oracle. */
export const ProbeAsked = defineEvent('ProbeAsked', 1, {
  ...attempt,
  id: t.string,
  probe: Artifact,
})
