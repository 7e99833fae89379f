import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A script stage asked for the reference check. `notAsked` names the decisions whose probe is malformed. */
export const ReferencesAsked = defineEvent('ReferencesAsked', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  oracle: t.string,
  notAsked: t.readonlyArray(t.strict({ id: t.string, why: t.string })),
})
