import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workspace } from '../../events/values/workspace.js'
import { git } from './git.js'
import { type Hashed, hashFiles, type Seen } from './hash-files.js'
import { branchOf, headOf, keepBranch } from './head.js'
import { ignoreRules } from './ignore-rules.js'
import { removeLocks } from './locks.js'
import { restore } from './restore.js'
import { walk } from './walk.js'

/** The checkout of a job, with Docket's own object store for what it looked like at each moment. */
export type Checkout = {
  /** Keeps the files as they are now, under a ref, and says what they are. */
  snapshot(ref: string): Promise<Workspace>
  /** Puts files and HEAD back as they were at the snapshot of a ref; ignored files stay. */
  restore(workspace: Workspace, ref: string): Promise<void>
  /** Removes the locks of a Git that was killed; for when nothing runs in the checkout any more. */
  removeLocks(): Promise<void>
  /** The paths that differ between two kept trees, in order. */
  changes(from: string, to: string): Promise<ReadonlyArray<string>>
  /** The paths that the commits since the base change. */
  committed(): Promise<ReadonlyArray<string>>
}

/** Opens the checkout; `store` is a bare repository of Docket's, made when it is not there. */
export const openCheckout = async (
  workdir: string,
  store: string,
  baseCommit: string,
  ignored: ReadonlyArray<string>,
): Promise<Checkout> => {
  const format = await git(['rev-parse', '--show-object-format'], { cwd: workdir })
  await git(['init', '--quiet', '--bare', `--object-format=${format.toString('latin1').trim()}`, store])
  const ignores = await ignoreRules(workdir, baseCommit, ignored)
  const listed = await git(['ls-tree', '-r', '-z', '--name-only', baseCommit], { cwd: workdir })
  const tracked = new Set(listed.toString('utf8').split('\0'))
  const seen = new Map<string, Seen>()

  const snapshot = async (ref: string): Promise<Workspace> => {
    const walked = await walk(workdir, ignores, tracked)
    const { hashed, leftOut } = await hashFiles(workdir, store, walked.entries, seen)
    const tree = await writeTree(store, hashed)
    await git(['update-ref', `refs/docket/${ref}`, tree], { gitDir: store })
    const branch = await branchOf(workdir)
    if (branch !== null) await keepBranch(store, ref, branch)
    return { tree, ...(await headOf(workdir)), leftOut: [...walked.leftOut, ...leftOut] }
  }

  const changes = async (from: string, to: string): Promise<ReadonlyArray<string>> =>
    paths(await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], { gitDir: store }))

  return {
    snapshot,
    changes,
    restore: (workspace, ref) => restore({ workdir, store, snapshot, changes }, workspace, ref),
    removeLocks: () => removeLocks(workdir),
    committed: async () => {
      const { commit } = await headOf(workdir)
      const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', baseCommit, commit]
      return paths(await git(args, { cwd: workdir }))
    },
  }
}

const writeTree = async (store: string, hashed: ReadonlyArray<Hashed>): Promise<string> => {
  const index = join(store, 'docket-index')
  await rm(index, { force: true })
  const input = hashed.map(({ entry, id }) => `${entry.mode} ${id}\t${entry.path}\0`).join('')
  await git(['update-index', '-z', '--index-info'], { gitDir: store, index, input })
  const tree = await git(['write-tree'], { gitDir: store, index })
  return tree.toString('latin1').trim()
}

const paths = (listed: Buffer): ReadonlyArray<string> => listed.toString('utf8').split('\0').filter(Boolean)
