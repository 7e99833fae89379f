import type { Client } from 'pg'
import type { ServerAddress } from './address.js'

/** Whether anybody has used the server since the last look. */
export type Usage = { readonly sinceLastLook: () => Promise<boolean>; readonly end: () => Promise<void> }

/**
 * Looks through one connection that is kept. Sessions are counted too, since a short command may begin and end
 * between two looks. A server that does not answer is not idle: it is busy, full or ending.
 */
export const watchUsage = (address: ServerAddress): Usage => {
  let client: Client | null = null
  let seen: string | null = null
  const end = async (): Promise<void> => {
    const old = client
    client = null
    await old?.end().catch(() => {})
  }
  const look = async (): Promise<boolean> => {
    client ??= await connected(address)
    const { rows } = await client.query<{ clients: number; sessions: string }>(countQuery)
    const { clients = 0, sessions = '' } = rows[0] ?? {}
    const isNew = seen !== null && seen !== sessions
    seen = sessions
    return clients > 0 || isNew
  }
  const sinceLastLook = (): Promise<boolean> =>
    look().catch(async () => {
      await end()
      return true
    })
  return { sinceLastLook, end }
}

const connected = async (address: ServerAddress): Promise<Client> => {
  // Loaded late: the server starts meanwhile.
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    ...address,
    application_name: 'docket supervisor',
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

const countQuery = `
  select
    (select count(*)::int from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()) as clients,
    (select sum(sessions)::text from pg_stat_database) as sessions`
