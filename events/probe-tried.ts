import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'

/** The writer asked the browsers by itself, before building on a choice; it gives no outcome. */
export const ProbeTried = defineEvent('ProbeTried', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  request: Artifact,
  response: Artifact,
})
