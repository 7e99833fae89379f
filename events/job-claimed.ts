import * as t from 'io-ts'
import { defineEvent } from './define-event.js'

/** A runner drives the job from here on. `bootId`, `pidNamespace`, `pid` and `startTime` tell its process from any other that later bears the same number. */
export const JobClaimed = defineEvent('JobClaimed', 1, {
  runner: t.string,
  epoch: t.number,
  host: t.string,
  bootId: t.string,
  pidNamespace: t.string,
  pid: t.number,
  startTime: t.string,
  docket: t.string,
  node: t.string,
})
