import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The decision file is malformed, so none of it counts; every reason, each with its path. */
export const DecisionsRefused = defineEvent('DecisionsRefused', 1, {
  round: t.number,
  reasons: t.readonlyArray(t.string),
})
