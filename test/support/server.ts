import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedServer } from '../../events/server/embedded.js'
import { stopServer } from '../../events/server/stop.js'

export type TestServer = { readonly url: string; readonly stop: () => Promise<void> }

/** One real PostgreSQL for a whole run of tests, in a home of its own. */
export const startTestServer = async (): Promise<TestServer> => {
  const home = mkdtempSync(join(tmpdir(), 'docket-test-'))
  process.env.DOCKET_SERVER_IDLE_SECONDS = '600'
  const { host, port, user, password, database } = await embeddedServer(home)
  delete process.env.DOCKET_SERVER_IDLE_SECONDS
  return {
    url: `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    stop: async () => {
      await stopServer(home)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
