import { spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { StoreUnavailable } from '../store/store-unavailable.js'

/**
 * Takes a lock of the kernel's on a file without waiting; null where somebody holds it. It belongs to the
 * open descriptor: it lasts until the last process that has inherited that is gone, however it ended, and
 * holds between PID namespaces too. Node has no call for it, so a small program locks what it inherits.
 */
export const tryLock = async (path: string): Promise<FileHandle | null> => {
  const file = await open(path, 'a', 0o600)
  try {
    for (const [command, ...args] of lockers) {
      const code = await exitOf(command, args, file.fd)
      if (code === 0) return file
      if (code === taken) {
        await file.close()
        return null
      }
      if (code !== null) throw new StoreUnavailable(`${path} cannot be locked: ${command} ended with ${code}`)
    }
    throw new StoreUnavailable(
      'neither flock nor perl is there to lock the database with: install util-linux, or set DATABASE_URL',
    )
  } catch (cause) {
    await file.close()
    throw cause
  }
}

const taken = 1

/** Both lock descriptor 3 with flock(2). macOS has no `flock` and ships `perl`. */
const lockers: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ['flock', '-n', '3'],
  ['perl', '-MFcntl=:flock', '-e', 'open(F, ">>&=3") or exit 2; exit(flock(F, LOCK_EX | LOCK_NB) ? 0 : 1)'],
]

/** Null where there is no such program. */
const exitOf = (command: string, args: ReadonlyArray<string>, fd: number): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: '/', stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') resolve(null)
      else reject(cause)
    })
    child.once('exit', (code) => resolve(code ?? -1))
  })
