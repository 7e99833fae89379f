import { randomBytes } from 'node:crypto'
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
    await asOwner(server, (client) => client.query(`drop database ${name} with (force)`))
  }
}
