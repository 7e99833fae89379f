import { chmod, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Workspace } from '../../events/values/workspace.js'
import { git } from './git.js'
import { type Ignores, ignoreRules } from './ignore-rules.js'
import { type Entry, walk } from './walk.js'

/** The checkout of a job, with Docket's own object store for what it looked like at each moment. */
export type Checkout = {
  /** Keeps the files as they are now, under a ref, and says what they are. */
  snapshot(ref: string): Promise<Workspace>
  /** Puts files and HEAD back as they were; ignored files stay. */
  restore(workspace: Workspace): Promise<void>
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
  await git(['init', '--quiet', '--bare', store])
  const ignores = await ignoreRules(workdir, baseCommit, ignored)
  const listed = await git(['ls-tree', '-r', '-z', '--name-only', baseCommit], { cwd: workdir })
  const tracked = new Set(listed.toString('utf8').split('\0'))
  const seen = new Map<string, Seen>()

  const snapshot = async (ref: string): Promise<Workspace> => {
    const { entries, leftOut } = await walk(workdir, ignores, tracked)
    const tree = await writeTree(workdir, store, await hash(workdir, store, entries, seen))
    await git(['update-ref', `refs/docket/${ref}`, tree], { gitDir: store })
    return { tree, ...(await headOf(workdir)), leftOut }
  }

  const changes = async (from: string, to: string): Promise<ReadonlyArray<string>> =>
    paths(await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], { gitDir: store }))

  return {
    snapshot,
    changes,
    restore: (workspace) => restore({ workdir, store, ignores, snapshot, changes }, workspace),
    committed: async () => {
      const { commit } = await headOf(workdir)
      const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', baseCommit, commit]
      return paths(await git(args, { cwd: workdir }))
    },
  }
}

/** HEAD of a checkout: its commit and that commit's tree. */
const headOf = async (workdir: string): Promise<{ readonly commit: string; readonly commitTree: string }> => {
  const out = await git(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}'], { cwd: workdir })
  const [commit = '', commitTree = ''] = out.toString('latin1').split('\n')
  return { commit, commitTree }
}

/** What a file was when it was hashed; one that is still the same need not be read again. */
type Seen = { readonly size: bigint; readonly ctime: bigint; readonly ino: bigint; readonly id: string }

type Hashed = { readonly entry: Entry; readonly id: string }

const hash = async (
  workdir: string,
  store: string,
  entries: ReadonlyArray<Entry>,
  seen: Map<string, Seen>,
): Promise<ReadonlyArray<Hashed>> => {
  const known = new Map<string, string>()
  const inOneCall: Array<Entry> = []
  for (const entry of entries) {
    const old = seen.get(entry.path)
    const { size, ctimeNs, ino } = entry.stats
    if (old !== undefined && old.size === size && old.ctime === ctimeNs && old.ino === ino) {
      known.set(entry.path, old.id)
    } else if (entry.mode === '120000') {
      const target = await readlink(join(workdir, entry.path), { encoding: 'buffer' })
      known.set(entry.path, await hashOne(store, ['--stdin'], target))
    } else if (entry.path.includes('\n')) {
      known.set(entry.path, await hashOne(store, ['--no-filters', '--', join(workdir, entry.path)]))
    } else inOneCall.push(entry)
  }
  const list = inOneCall.map(({ path }) => `${join(workdir, path)}\n`).join('')
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  const ids = list === '' ? '' : (await git(args, { gitDir: store, input: list })).toString('latin1')
  for (const [place, id] of ids.split('\n').entries()) {
    const entry = inOneCall[place]
    if (entry === undefined) break
    known.set(entry.path, id)
    remember(seen, entry, id)
  }
  return entries.map((entry) => ({ entry, id: known.get(entry.path) ?? '' }))
}

const hashOne = async (
  store: string,
  args: ReadonlyArray<string>,
  input = Buffer.alloc(0),
): Promise<string> =>
  (await git(['hash-object', '-w', ...args], { gitDir: store, input })).toString('latin1').trim()

/** A file that changed this very moment may change again without a new time, so it is read again. */
const remember = (seen: Map<string, Seen>, { path, stats }: Entry, id: string): void => {
  const settled = BigInt(Date.now() - 2000) * 1_000_000n > stats.ctimeNs
  if (settled) seen.set(path, { size: stats.size, ctime: stats.ctimeNs, ino: stats.ino, id })
}

const writeTree = async (workdir: string, store: string, hashed: ReadonlyArray<Hashed>): Promise<string> => {
  const index = join(store, 'docket-index')
  await rm(index, { force: true })
  const input = hashed.map(({ entry, id }) => `${entry.mode} ${id}\t${entry.path}\0`).join('')
  await git(['update-index', '-z', '--index-info'], { gitDir: store, index, input, cwd: workdir })
  const tree = await git(['write-tree'], { gitDir: store, index })
  return tree.toString('latin1').trim()
}

type Restoring = Pick<Checkout, 'snapshot' | 'changes'> & {
  readonly workdir: string
  readonly store: string
  readonly ignores: Ignores
}

/** What was there is kept under a ref of its own first, so that putting back loses nothing. */
const restore = async ({ workdir, store, snapshot, changes }: Restoring, to: Workspace): Promise<void> => {
  const now = await snapshot(`before-restore/${Date.now()}`)
  const wanted = await entriesOf(store, to.tree)
  for (const path of await changes(now.tree, to.tree)) {
    const target = join(workdir, path)
    await rm(target, { force: true, recursive: true })
    const entry = wanted.get(path)
    if (entry === undefined) continue
    await mkdir(dirname(target), { recursive: true })
    const bytes = await git(['cat-file', 'blob', entry.id], { gitDir: store })
    if (entry.mode === '120000') await symlink(bytes, target)
    else {
      await writeFile(target, bytes)
      await chmod(target, entry.mode === '100755' ? 0o755 : 0o644)
    }
  }
  if (now.commit !== to.commit) {
    await git(['update-ref', '-m', 'docket: put back after a fault', 'HEAD', to.commit], { cwd: workdir })
    await git(['read-tree', to.commit], { cwd: workdir })
  }
}

const entriesOf = async (
  store: string,
  tree: string,
): Promise<ReadonlyMap<string, { readonly mode: string; readonly id: string }>> => {
  const listed = await git(['ls-tree', '-r', '-z', tree], { gitDir: store })
  const entries = listed.toString('utf8').split('\0').filter(Boolean)
  return new Map(
    entries.map((line) => {
      const [about = '', path = ''] = line.split('\t')
      const [mode = '', , id = ''] = about.split(' ')
      return [path, { mode, id }]
    }),
  )
}

const paths = (listed: Buffer): ReadonlyArray<string> => listed.toString('utf8').split('\0').filter(Boolean)
