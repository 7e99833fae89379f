import { chmod, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Workspace } from '../../events/values/workspace.js'
import { git } from './git.js'
import { branchOf, keptBranch } from './head.js'
import type { Checkout } from './workspace.js'

export type Restoring = Pick<Checkout, 'snapshot' | 'changes'> & {
  readonly workdir: string
  readonly store: string
}

/** What was there is kept under a ref of its own first, so that putting back loses nothing. */
export const restore = async (restoring: Restoring, to: Workspace, ref: string): Promise<void> => {
  const { workdir, store, snapshot, changes } = restoring
  const now = await snapshot(`before-restore/${Date.now()}`)
  const wanted = await entriesOf(store, to.tree)
  for (const path of await changes(now.tree, to.tree)) {
    const target = join(workdir, path)
    const entry = wanted.get(path)
    if (entry !== undefined) await makeFolders(workdir, dirname(path))
    await rm(target, { force: true, recursive: true })
    if (entry === undefined) continue
    const bytes = await git(['cat-file', 'blob', entry.id], { gitDir: store })
    if (entry.mode === '120000') await symlink(bytes, target)
    else {
      await writeFile(target, bytes)
      await chmod(target, entry.mode === '100755' ? 0o755 : 0o644)
    }
  }
  await restoreHead(workdir, now, to, await keptBranch(store, ref))
}

/** Puts HEAD back on the branch it was on. A branch that the stage went over to keeps its commits. */
const restoreHead = async (
  workdir: string,
  now: Workspace,
  to: Workspace,
  branch: string | null,
): Promise<void> => {
  if (now.commit === to.commit && (await branchOf(workdir)) === branch) return
  await removeLocks(workdir)
  const why = ['-m', 'docket: put back after a fault']
  if (branch === null) await git(['update-ref', ...why, '--no-deref', 'HEAD', to.commit], { cwd: workdir })
  else {
    await git(['symbolic-ref', ...why, 'HEAD', branch], { cwd: workdir })
    await git(['update-ref', ...why, 'HEAD', to.commit], { cwd: workdir })
  }
  await git(['read-tree', to.commit], { cwd: workdir })
}

/** A Git that was killed in the stage leaves its locks behind, and nothing of the stage runs any more. */
const removeLocks = async (workdir: string): Promise<void> => {
  for (const name of ['index.lock', 'HEAD.lock']) {
    const path = await git(['rev-parse', '--git-path', name], { cwd: workdir })
    await rm(resolve(workdir, path.toString('utf8').replace(/\n$/, '')), { force: true })
  }
}

/** Makes the folders that lead to a file. A link among them would lead out of the checkout: it gives way. */
const makeFolders = async (workdir: string, folder: string): Promise<void> => {
  if (folder === '.') return
  await makeFolders(workdir, dirname(folder))
  const path = join(workdir, folder)
  const stats = await lstat(path).catch(() => null)
  if (stats?.isDirectory() === true) return
  await rm(path, { force: true })
  await mkdir(path)
}

const entriesOf = async (
  store: string,
  tree: string,
): Promise<ReadonlyMap<string, { readonly mode: string; readonly id: string }>> => {
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
