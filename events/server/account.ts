import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, lchown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from './durable.js'
import { accountId } from './privileges.js'
import type { Programs } from './programs.js'

/** Where the account without rights finds its programs and its clusters. */
const openFolder = '/var/lib/docket'

/**
 * The folder of a home's cluster that the account owns. Named after the password, so that a home that is made
 * anew at the same path, or moved, does not come upon another's.
 */
export const accountCluster = (password: string): string => {
  const key = createHash('sha256').update(`cluster ${password}`).digest('hex').slice(0, 24)
  return join(openFolder, 'clusters', key, 'data')
}

/** A copy of PostgreSQL's programs that the account can reach. */
export const openPrograms = async ({ native, version }: Programs): Promise<string> => {
  const copy = join(openFolder, `postgres-${version}`)
  if (existsSync(copy)) return copy
  const fresh = `${copy}.new-${process.pid}`
  await mkdir(openFolder, { recursive: true, mode: 0o755 })
  await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
  await chmod(fresh, 0o755)
  // Another home's supervisor may have been quicker.
  await rename(fresh, copy).catch(() => rm(fresh, { recursive: true, force: true }))
  return copy
}

/** Moves a cluster of root's to where the account can reach it, once namespaces are forbidden. */
export const giveToAccount = async (from: string, to: string, fresh: string): Promise<void> => {
  await cp(from, fresh, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  await chmod(fresh, 0o700)
  await chown(fresh, accountId, accountId)
  for (const entry of await readdir(fresh, { recursive: true })) {
    await lchown(join(fresh, entry), accountId, accountId)
  }
  await rename(fresh, to)
  await syncFolder(dirname(to))
  await rename(from, `${from}.moved`)
}
