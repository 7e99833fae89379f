import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'

/**
 * A job of another ledger was taken in from an export that holds together. The head is that of the other ledger when
 * the export was taken; with a proof, links lead from the job's events to it. The record is the export without its
 * artifacts, which are kept by themselves.
 */
export const JobImported = defineEvent('JobImported', 1, {
  job: t.string,
  ledger: t.string,
  position: t.number,
  hash: t.string,
  proof: t.boolean,
  record: Artifact,
  artifacts: t.readonlyArray(Artifact),
  summary: t.strict({
    name: t.string,
    status: t.keyof({ ready: null, running: null, waiting: null, accepted: null, stopped: null }),
    rounds: t.number,
    failedRounds: t.number,
    submittedAt: t.string,
    changedAt: t.string,
    workdir: t.string,
    why: t.union([t.string, t.null]),
  }),
})
