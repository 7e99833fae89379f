import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from './git.js'
import type { Entry, LeftOut } from './walk.js'

/** What a file was when it was hashed; one that is still the same need not be read again. */
export type Seen = {
  readonly size: bigint
  readonly ctime: bigint
  readonly ino: bigint
  readonly id: string
}

export type Hashed = { readonly entry: Entry; readonly id: string }

export type HashedFiles = { readonly hashed: ReadonlyArray<Hashed>; readonly leftOut: ReadonlyArray<LeftOut> }

/** Puts the exact bytes of the files into the store. What cannot be read, or is gone by now, is left out. */
export const hashFiles = async (
  workdir: string,
  store: string,
  entries: ReadonlyArray<Entry>,
  seen: Map<string, Seen>,
): Promise<HashedFiles> => {
  const ids = new Map<string, string>()
  const leftOut: Array<LeftOut> = []
  const alone = async (entry: Entry): Promise<void> => {
    try {
      ids.set(entry.path, await hashOne(workdir, store, entry))
    } catch {
      leftOut.push({ path: entry.path, why: 'it cannot be read' })
    }
  }

  const together: Array<Entry> = []
  for (const entry of entries) {
    const known = seen.get(entry.path)
    if (known !== undefined && isSame(known, entry)) ids.set(entry.path, known.id)
    else if (entry.mode === '120000' || entry.path.includes('\n')) await alone(entry)
    else together.push(entry)
  }
  const found = await hashTogether(workdir, store, together).catch(() => null)
  for (const [place, entry] of together.entries()) {
    const id = found?.[place]
    if (id === undefined) await alone(entry)
    else ids.set(entry.path, id)
    remember(seen, entry, ids.get(entry.path))
  }
  return {
    hashed: entries.flatMap((entry) => {
      const id = ids.get(entry.path)
      return id === undefined ? [] : [{ entry, id }]
    }),
    leftOut,
  }
}

const isSame = ({ size, ctime, ino }: Seen, { stats }: Entry): boolean =>
  size === stats.size && ctime === stats.ctimeNs && ino === stats.ino

/** One call for all of them; it fails when one of them cannot be read. */
const hashTogether = async (
  workdir: string,
  store: string,
  entries: ReadonlyArray<Entry>,
): Promise<ReadonlyArray<string>> => {
  if (entries.length === 0) return []
  const input = entries.map(({ path }) => `${join(workdir, path)}\n`).join('')
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
  return (await git(args, { gitDir: store, input })).toString('latin1').trimEnd().split('\n')
}

const hashOne = async (workdir: string, store: string, { path, mode }: Entry): Promise<string> => {
  const file = join(workdir, path)
  const out =
    mode === '120000'
      ? await git(['hash-object', '-w', '--stdin'], {
          gitDir: store,
          input: await readlink(file, { encoding: 'buffer' }),
        })
      : await git(['hash-object', '-w', '--no-filters', '--', file], { gitDir: store })
  return out.toString('latin1').trim()
}

/** A file that changed this very moment may change again without a new time, so it is read again. */
const remember = (seen: Map<string, Seen>, { path, stats }: Entry, id: string | undefined): void => {
  const settled = BigInt(Date.now() - 2000) * 1_000_000n > stats.ctimeNs
  if (settled && id !== undefined)
    seen.set(path, { size: stats.size, ctime: stats.ctimeNs, ino: stats.ino, id })
}
