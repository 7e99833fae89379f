import type { BigIntStats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ignores } from './ignore-rules.js'

/** A file of the checkout that a snapshot holds; `path` is relative, with slashes. */
export type Entry = {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly stats: BigIntStats
}

export type LeftOut = { readonly path: string; readonly why: string }

export type Walked = { readonly entries: ReadonlyArray<Entry>; readonly leftOut: ReadonlyArray<LeftOut> }

/**
 * Lists what a checkout holds, without following links. A file that the base commit tracks is there
 * whatever the ignore rules say. What a snapshot cannot hold is named with the reason; ignored files are
 * not named one by one, only the topmost folder or file that a rule matched.
 */
export const walk = async (
  workdir: string,
  ignores: Ignores,
  tracked: ReadonlySet<string>,
): Promise<Walked> => {
  const entries: Array<Entry> = []
  const leftOut: Array<LeftOut> = []
  const holdsTracked = foldersOf(tracked)

  const visit = async (folder: string): Promise<void> => {
    const names = await namesIn(join(workdir, folder)).catch((cause: unknown) => {
      leftOut.push({ path: folder, why: reason(cause) })
      return []
    })
    for (const name of names) {
      if (name === null) leftOut.push({ path: folder, why: 'a name in it is not UTF-8' })
      else if (!(folder === '' && name === '.git')) await look(`${folder}${name}`, name)
    }
  }

  const look = async (path: string, name: string): Promise<void> => {
    const stats = await lstat(join(workdir, path), { bigint: true }).catch(
      (cause: NodeJS.ErrnoException) => cause,
    )
    if (stats instanceof Error) {
      if (stats.code !== 'ENOENT') leftOut.push({ path, why: reason(stats) })
      return
    }
    if (name.toLowerCase() === '.git') {
      leftOut.push({ path, why: 'Git keeps nothing under this name' })
      return
    }
    if (stats.isDirectory()) {
      if (ignores(`${path}/`) && !holdsTracked.has(path)) leftOut.push({ path: `${path}/`, why: 'ignored' })
      else if (await isRepository(join(workdir, path))) {
        leftOut.push({ path: `${path}/`, why: 'a repository of its own' })
      } else await visit(`${path}/`)
    } else if (ignores(path) && !tracked.has(path)) leftOut.push({ path, why: 'ignored' })
    else if (stats.isSymbolicLink() && name.toLowerCase() === '.gitmodules') {
      leftOut.push({ path, why: 'Git keeps no link under this name' })
    } else if (stats.isSymbolicLink()) entries.push({ path, mode: '120000', stats })
    else if (stats.isFile()) {
      entries.push({ path, mode: (stats.mode & 0o100n) === 0n ? '100644' : '100755', stats })
    } else leftOut.push({ path, why: 'neither a file, a folder nor a link' })
  }

  await visit('')
  return { entries, leftOut }
}

const namesIn = async (folder: string): Promise<ReadonlyArray<string | null>> => {
  const names = await readdir(folder, { encoding: 'buffer' })
  return names.sort(Buffer.compare).map((name) => {
    const text = name.toString('utf8')
    return Buffer.from(text, 'utf8').equals(name) ? text : null
  })
}

const isRepository = (folder: string): Promise<boolean> =>
  lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  )

const foldersOf = (paths: ReadonlySet<string>): ReadonlySet<string> => {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      folders.add(path.slice(0, at))
    }
  }
  return folders
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
