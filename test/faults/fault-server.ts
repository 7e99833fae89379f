import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ServerAddress } from '../../events/server/address.js'
import { embeddedServer } from '../../events/server/embedded.js'
import { signal } from '../../events/server/process-id.js'
import { stopServer } from '../../events/server/stop.js'

/** A real server of its own, which may be crashed. */
export type FaultServer = {
  readonly socket: string
  /** The address of a database of it, directly or through a port on this machine. */
  readonly urlOf: (database: string, proxyPort?: number) => string
  /** Statements as the owner of everything; fails while the server is down. */
  readonly ask: (database: string, statement: string) => Promise<pg.QueryResult>
  /** Ends every process of it at once without a checkpoint: what it knows of then is what it had written. */
  readonly down: () => Promise<void>
  readonly up: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const startFaultServer = async (): Promise<FaultServer> => {
  const home = mkdtempSync(join(tmpdir(), 'docket-faults-'))
  process.env.DOCKET_SERVER_IDLE_SECONDS = '3600'
  let address: ServerAddress = await embeddedServer(home)
  const { user, password, host, port, database: main } = address
  const directly = `?host=${encodeURIComponent(host)}&port=${port}`
  const urlOf = (database: string, proxyPort?: number): string =>
    proxyPort === undefined
      ? `postgresql://${user}:${password}@/${database}${directly}`
      : `postgresql://${user}:${password}@127.0.0.1:${proxyPort}/${database}`

  return {
    socket: join(host, `.s.PGSQL.${port}`),
    urlOf,
    ask: async (database, statement) => {
      const client = new pg.Client({
        connectionString: urlOf(database === '' ? main : database),
        application_name: 'faults',
      })
      client.on('error', () => {})
      await client.connect()
      try {
        return await client.query(statement)
      } finally {
        await client.end().catch(() => {})
      }
    },
    down: async () => {
      const { server } = address
      signal(server, 'SIGQUIT')
      while (isAlive(server)) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    up: async () => {
      address = await embeddedServer(home)
    },
    stop: async () => {
      await stopServer(home)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
