import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'

/** A script stage asked for the reference check. `notAsked` names the decisions whose probe is malformed. */
export const ReferencesAsked = defineEvent('ReferencesAsked', 1, {
  ...attempt,
  oracle: t.string,
  notAsked: t.readonlyArray(t.strict({ id: t.string, why: t.string })),
})
