import { readFile } from 'node:fs/promises'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { serverLayout } from './layout.js'
import { endLeftover } from './leftover.js'
import { tryLock } from './lock.js'
import { signal, supervises } from './process-id.js'

const longestStopMs = 60_000

/**
 * Stops the embedded server of a home, if one runs or is about to, and waits until nothing of it is left.
 * What is connected to it is cut off; what was committed stays.
 */
export const stopServer = async (home: string): Promise<void> => {
  const layout = serverLayout(home)
  const until = performance.now() + longestStopMs
  while (performance.now() < until) {
    const supervised = !(await isFree(layout.lock))
    if (!supervised && (await isFree(layout.clusterLock))) return
    if (!supervised) await endLeftover(layout.data)
    const pid = Number(await readFile(layout.lock, 'utf8').catch(() => ''))
    if (await supervises(pid, home)) signal(pid, 'SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new StoreUnavailable(`the embedded server of ${home} did not end within ${longestStopMs / 1000} s`)
}

/** Nobody holds the lock, or there is no file or folder to hold. */
const isFree = async (path: string): Promise<boolean> => {
  if ((await readFile(path).catch(() => null)) === null) return true
  const lock = await tryLock(path)
  await lock?.close()
  return lock !== null
}
