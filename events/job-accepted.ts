import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Workspace } from './values/workspace.js'

/** Everything that acceptance asks for held in one round and on one tree. */
export const JobAccepted = defineEvent('JobAccepted', 1, {
  round: t.number,
  workspace: Workspace,
  treeIsCommit: t.boolean,
  isolation: t.keyof({ isolated: null, 'same-user': null }),
})
