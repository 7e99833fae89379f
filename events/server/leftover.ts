import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { servesCluster, signal } from './process-id.js'

const pidIn = async (data: string): Promise<number> =>
  Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n', 1)[0])

/**
 * Asks a server that outlived its supervisor to end, in good order. Does nothing where the number in its
 * process-id file is another process's by now, or is of another PID namespace.
 */
export const endLeftover = async (data: string): Promise<void> => {
  const pid = await pidIn(data)
  if (await servesCluster(pid, data)) signal(pid, 'SIGINT')
}

/**
 * Removes what a server that was killed left behind: PostgreSQL would refuse to start when another process
 * has the number by now. Only who holds the cluster's lock may call this, since no server of ours lives then.
 *
 * Throws when somebody has started a server on the cluster by hand.
 */
export const clearStale = async (data: string, socketFiles: ReadonlyArray<string>): Promise<void> => {
  const pid = await pidIn(data)
  if (await servesCluster(pid, data)) {
    throw new StoreUnavailable(
      `a PostgreSQL that Docket did not start works on ${data}: stop it (kill -INT ${pid})`,
    )
  }
  for (const path of [join(data, 'postmaster.pid'), ...socketFiles]) await rm(path, { force: true })
}
