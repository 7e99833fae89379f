import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** Every stage of the round ended well. */
export const RoundPassed = defineEvent('RoundPassed', 1, {
  round: t.number,
})
