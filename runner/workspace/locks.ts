import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { git } from './git.js'
import { branchOf } from './head.js'

/**
 * A Git that was killed in a stage leaves its locks behind, and no later one gets past them. For when nothing
 * of the stage runs any more; `branch` is a full ref that is about to be written.
 */
export const removeLocks = async (workdir: string, branch: string | null = null): Promise<void> => {
  const names = ['index', 'HEAD', await branchOf(workdir), branch]
  for (const name of new Set(names.filter((given) => given !== null))) {
    const path = await git(['rev-parse', '--git-path', `${name}.lock`], { cwd: workdir }).catch(() => null)
    if (path !== null) {
      await rm(resolve(workdir, path.toString('utf8').replace(/\n$/, '')), { recursive: true, force: true })
    }
  }
}
