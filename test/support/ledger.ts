import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { type OpenedStore, openStore } from '../../events/store/open-store.js'
import { startTestServer, type TestServer } from './server.js'

let own: Promise<TestServer> | null = null

/** The server of the whole run where there is one, else one for this file alone. */
const serverUrl = async (): Promise<string> => {
  const { DOCKET_TEST_DATABASE_URL: shared = '' } = process.env
  if (shared !== '') return shared
  own ??= startTestServer()
  return (await own).url
}

test.after.always('the server of this file is stopped', async () => {
  await (await own)?.stop()
})

/** Does something on a database as the one who owns everything in it. */
export const asOwner = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url, application_name: 'owner' })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** A fresh database; when the test ends it must have no connection left, and is dropped. */
export const freshDatabase = async (t: ExecutionContext): Promise<string> => {
  const server = await serverUrl()
  const name = `t_${randomBytes(6).toString('hex')}`
  await asOwner(server, (client) => client.query(`create database ${name}`))
  t.teardown(() =>
    asOwner(server, async (client) => {
      const left = await leftOf(client, name)
      await client.query(`drop database ${name} with (force)`)
      if (left > 0) throw new Error(`the test left ${left} connections to its database`)
    }),
  )
  const url = new URL(server.replace('@/', '@localhost/'))
  url.pathname = `/${name}`
  return url.toString().replace('@localhost/', '@/')
}

/** A connection that is being closed may take the server a moment. */
const leftOf = async (client: pg.Client, name: string): Promise<number> => {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ readonly left: number }>(
      'select count(*)::int as left from pg_stat_activity where datname = $1',
      [name],
    )
    const left = rows[0]?.left ?? 0
    if (left === 0 || tries === 40) return left
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export type FreshLedger = {
  readonly url: string
  readonly store: OpenedStore
  /** Another store on the same ledger, with connections of its own. */
  readonly another: () => Promise<OpenedStore>
}

/** A fresh ledger on a database of its own; its stores are closed when the test ends. */
export const freshLedger = async (t: ExecutionContext): Promise<FreshLedger> => {
  const url = await freshDatabase(t)
  const another = async (): Promise<OpenedStore> => {
    const store = await openStore({ env: { DATABASE_URL: url } })
    t.teardown(() => store.close())
    return store
  }
  return { url, store: await another(), another }
}
