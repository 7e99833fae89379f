import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'

/** The stage could not do its work through no fault of the writer's; it spends a rerun and no round. */
export const StageFaulted = defineEvent('StageFaulted', 1, {
  ...attempt,
  message: t.string,
})
