import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** The workdir is free again. */
export const WorkdirReleased = defineEvent('WorkdirReleased', 1, {
  job: t.string,
  workdir: t.string,
})
