import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'
import { attempt } from './values/attempt.js'
import { Workspace } from './values/workspace.js'

/** A stage's process is about to run: with which arguments, on which files, with what on its standard input. */
export const StageStarted = defineEvent('StageStarted', 1, {
  ...attempt,
  kind: t.keyof({ writer: null, script: null, review: null }),
  command: t.readonlyArray(t.string),
  workspace: Workspace,
  timeoutSeconds: t.union([t.number, t.null]),
  isolation: t.keyof({ isolated: null, 'same-user': null }),
  input: t.union([Artifact, t.null]),
})
