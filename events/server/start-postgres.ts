import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from './make-cluster.js'
import { endingWithUs } from './privileges.js'

export const port = 5432

/** What a server keeps in the folder of its socket. */
export const socketFiles = (host: string): ReadonlyArray<string> =>
  [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`].map((name) => join(host, name))

/**
 * Starts the server. When the supervisor is killed it shuts down in good order.
 *
 * @param lock The descriptor of the cluster's lock, which every process of the server holds.
 */
export const startPostgres = async (
  { bin, data, privileges }: Cluster,
  host: string,
  lock: number,
): Promise<ChildProcess> => {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${host}"`,
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: '200',
    fsync: 'on',
    full_page_writes: 'on',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const ending = await endingWithUs('INT')
  const postgres = [join(bin, 'postgres'), '-D', data, ...options]
  const [command = '', ...args] = [...privileges.prefix, ...ending, ...postgres]
  return spawn(command, args, { cwd: '/', stdio: ['ignore', 'inherit', 'inherit', lock] })
}

/** Resolves once the server accepts connections: it writes how far it is into its process-id file. */
export const isReady = async ({ data }: Cluster): Promise<true> => {
  for (;;) {
    const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (lines[7]?.trim() === 'ready') return true
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
