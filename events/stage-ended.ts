import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'
import { attempt } from './values/attempt.js'
import { Ending } from './values/ending.js'
import { Workspace } from './values/workspace.js'

/** A stage's process has ended. `durationMs` is its own running time; `spentMs` is what the job spent since the last record of spending, both on the monotonic clock. `outcome` is the decider's reading of it. */
export const StageEnded = defineEvent('StageEnded', 1, {
  ...attempt,
  ending: Ending,
  outcome: t.keyof({ passed: null, failed: null, died: null, faulted: null, interrupted: null }),
  durationMs: t.number,
  spentMs: t.number,
  stdout: Artifact,
  stderr: Artifact,
  workspace: Workspace,
})
