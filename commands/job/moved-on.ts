import type { NewFinding } from '../../domain/finding.js'
import type { Workspace } from '../../events/values/workspace.js'
import type { Job } from './state.js'

/** Whether the files are no longer those that the round's last writer left. */
export const movedOn = (job: Job, workspace: Workspace): boolean => {
  const expected = job.round?.writerTree ?? null
  return expected !== null && expected !== workspace.tree
}

export const changedFiles = (when: string, paths: ReadonlyArray<string>): NewFinding => ({
  source: 'workspace',
  text: `Files changed ${when}, so what was checked is not what the writer left: ${paths.join(', ')}`,
})
