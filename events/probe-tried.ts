import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'
import { attempt } from './values/attempt.js'

/** The writer asked the browsers by itself, before building on a choice; it gives no outcome. */
export const ProbeTried = defineEvent('ProbeTried', 1, {
  ...attempt,
  request: Artifact,
  response: Artifact,
})
