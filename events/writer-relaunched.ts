import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { attempt } from './values/attempt.js'

/** The writer died and is started again in the same round; it spends a relaunch and no round. */
export const WriterRelaunched = defineEvent('WriterRelaunched', 1, {
  ...attempt,
  why: t.string,
})
