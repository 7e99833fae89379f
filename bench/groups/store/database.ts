import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Does something as the one who owns the server of an address. */
export const asOwner = async <A>(address: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Gives the address of a new database of the server, and drops it afterwards. */
export const withDatabase = async <A>(server: string, use: (address: string) => Promise<A>): Promise<A> => {
  const name = `bench_${randomBytes(6).toString('hex')}`
  await asOwner(server, (client) => client.query(`create database ${name}`))
  try {
    // An address without a host is none to `URL`; the driver prefers the socket that its query names.
    const address = new URL(server.replace('@/', '@localhost/'))
    address.pathname = `/${name}`
    return await use(address.toString())
  } finally {
    await asOwner(server, async (client) => {
      await allGone(client, name)
      await client.query(`drop database ${name} with (force)`)
    })
  }
}

/** Waits for connections that are being closed: one that is cut off instead would be an error of its pool. */
const allGone = async (client: pg.Client, name: string): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    const { rows } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name])
    if (rows.length === 0) return
    await sleep(50)
  }
}
