import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The stage could not do its work through no fault of the writer's; it spends a rerun and no round. */
export const StageFaulted = defineEvent('StageFaulted', 1, {
  round: t.number,
  stage: t.string,
  attempt: t.number,
  message: t.string,
})
