import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { Artifact } from './values/artifact.js'
import { ManifestValue } from './values/manifest.js'
import { Workspace } from './values/workspace.js'

/** A job exists: what it will do, where, and from which commit. The tools are the private copies that its stages run. */
export const JobSubmitted = defineEvent('JobSubmitted', 1, {
  name: t.string,
  manifest: ManifestValue,
  manifestFile: Artifact,
  manifestFolder: t.string,
  workdir: t.string,
  state: t.string,
  base: Workspace,
  tools: t.readonlyArray(t.strict({ path: t.string, sha256: t.string })),
})
