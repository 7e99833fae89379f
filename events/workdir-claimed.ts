import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A job has the workdir for itself. */
export const WorkdirClaimed = defineEvent('WorkdirClaimed', 1, {
  job: t.string,
  workdir: t.string,
})
