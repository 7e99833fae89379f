import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountId, type Privileges } from './privileges.js'

/**
 * A private folder with a short path for the server's socket: the system cuts a path of more than about
 * 100 bytes without a word, and Docket's home may well be longer. A folder of that name that belongs to somebody
 * else is refused, since whoever owns it could put a socket of his own there.
 */
export const socketFolder = async (home: string, { way }: Privileges): Promise<string> => {
  const uid = process.getuid?.() ?? 0
  const name = `docket-${uid}-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`
  const { XDG_RUNTIME_DIR: runtime = '' } = process.env
  const parent = [runtime, tmpdir(), '/tmp'].find((path) => path !== '' && path.length < 70) ?? '/tmp'
  const folder = join(way === 'account' ? '/tmp' : parent, name)
  await mkdir(folder, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
  })
  if (way === 'account') await chown(folder, accountId, accountId)
  const found = await lstat(folder)
  const owner = way === 'account' ? accountId : uid
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to somebody else or is open to others: remove it`)
  }
  return folder
}
