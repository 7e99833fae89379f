import { chmod, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Workspace } from '../../events/values/workspace.js'
import { git } from './git.js'
import { branchOf, keptBranch } from './head.js'
import { removeLocks } from './locks.js'
import type { Checkout } from './workspace.js'

export type Restoring = Pick<Checkout, 'snapshot' | 'changes'> & {
  readonly workdir: string
  readonly store: string
}

/** What was there is kept under a ref of its own first, so that putting back loses nothing. */
export const restore = async (restoring: Restoring, to: Workspace, ref: string): Promise<void> => {
  const { workdir, store, snapshot, changes } = restoring
  const now = await snapshot(`before-restore/${Date.now()}`)
  await putFiles(restoring, await changes(now.tree, to.tree), await entriesOf(store, to.tree)).catch(
    (cause: unknown) => {
      throw cause instanceof Error && 'syscall' in cause ? new NotPutBack(cause.message, { cause }) : cause
    },
  )
  await restoreHead(workdir, now, to, await keptBranch(store, ref))
}

/** What the file system refused while the files were put back: a folder that is gone, or that nobody may write. */
export class NotPutBack extends Error {
  override readonly name = 'NotPutBack'
}

type Kept = { readonly mode: string; readonly id: string }

const putFiles = async (
  restoring: Restoring,
  changed: ReadonlyArray<string>,
  wanted: ReadonlyMap<string, Kept>,
): Promise<void> => {
  // What was made goes first: once a link is back in the place of a folder, the folder's paths lead through it.
  for (const path of changed) {
    if (!wanted.has(path)) await rm(join(restoring.workdir, path), { force: true, recursive: true })
  }
  for (const path of changed) {
    const entry = wanted.get(path)
    if (entry !== undefined) await putBack(restoring, path, entry)
  }
}

const putBack = async ({ workdir, store }: Restoring, path: string, { mode, id }: Kept): Promise<void> => {
  const target = join(workdir, path)
  await makeFolders(workdir, dirname(path))
  await rm(target, { force: true, recursive: true })
  const bytes = await git(['cat-file', 'blob', id], { gitDir: store })
  if (mode === '120000') await symlink(bytes, target)
  else {
    await writeFile(target, bytes)
    await chmod(target, mode === '100755' ? 0o755 : 0o644)
  }
}

/** Puts HEAD back on the branch it was on. A branch that the stage went over to keeps its commits. */
const restoreHead = async (
  workdir: string,
  now: Workspace,
  to: Workspace,
  branch: string | null,
): Promise<void> => {
  await removeLocks(workdir, branch)
  if (now.commit === to.commit && (await branchOf(workdir)) === branch) return
  const why = ['-m', 'docket: put back after a fault']
  if (branch === null) await git(['update-ref', ...why, '--no-deref', 'HEAD', to.commit], { cwd: workdir })
  else {
    await git(['symbolic-ref', ...why, 'HEAD', branch], { cwd: workdir })
    await git(['update-ref', ...why, 'HEAD', to.commit], { cwd: workdir })
  }
  await git(['read-tree', to.commit], { cwd: workdir })
}

/**
 * Makes the folders that lead to a file. A link among them would lead out of the checkout, and a repository of
 * its own would hide the file from the next snapshot: they give way.
 */
const makeFolders = async (workdir: string, folder: string): Promise<void> => {
  if (folder === '.') return
  await makeFolders(workdir, dirname(folder))
  const path = join(workdir, folder)
  const stats = await lstat(path).catch(() => null)
  if (stats?.isDirectory() === true) return rm(join(path, '.git'), { force: true, recursive: true })
  await rm(path, { force: true })
  await mkdir(path)
}

const entriesOf = async (store: string, tree: string): Promise<ReadonlyMap<string, Kept>> => {
  const listed = await git(['ls-tree', '-r', '-z', tree], { gitDir: store })
  const entries = listed.toString('utf8').split('\0').filter(Boolean)
  return new Map(
    entries.map((line) => {
      // A path may hold a tab as well.
      const tab = line.indexOf('\t')
      const [mode = '', , id = ''] = line.slice(0, tab).split(' ')
      return [line.slice(tab + 1), { mode, id }]
    }),
  )
}
