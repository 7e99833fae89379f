import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { accountId, type Privileges } from './privileges.js'

/**
 * A private folder with a short path for the server's socket: the system cuts a path of more than about
 * 100 bytes without a word, and Docket's home may well be longer. The same one each time, so that whoever
 * is connected finds the server again after a restart: below `/tmp`, whatever the environment says, since a
 * folder of the session (`XDG_RUNTIME_DIR`) goes away when its user logs out. Another one for a home that is made
 * anew at the same path, and for a copy of it: a server removes its socket by name when it ends. A folder of that
 * name that belongs to somebody else is passed over, since whoever owns it could put a socket of his own there.
 */
export const socketFolder = async (home: string, password: string, { way }: Privileges): Promise<string> => {
  const owner = way === 'account' ? accountId : (process.getuid?.() ?? 0)
  const key = createHash('sha256').update(`socket ${password} ${home}`).digest('hex').slice(0, 12)
  const name = `docket-${owner}-${key}`
  const { XDG_RUNTIME_DIR: runtime = '' } = process.env
  const parents = ['/tmp', tmpdir(), runtime].filter((path) => path !== '' && Buffer.byteLength(path) < 70)
  for (const parent of parents) {
    const folder = join(parent, name)
    if (await madePrivate(folder, owner)) return folder
  }
  throw new StoreUnavailable(
    `none of ${parents.map((parent) => join(parent, name)).join(', ')} can be made, or it belongs to somebody else: remove it, or set TMPDIR to a folder of yours with a short path`,
  )
}

const madePrivate = async (folder: string, owner: number): Promise<boolean> => {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (owner !== process.getuid?.()) await chown(folder, owner, owner)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) return false
  }
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== owner) return false
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700)
  return true
}
