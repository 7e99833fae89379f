import { startTestServer } from '../../test/support/server.js'
import { type Group, machine, type Row } from '../measure.js'
import { appendRows, bytesOfEvent } from './store/append.js'
import { asOwner } from './store/database.js'
import { feedRows } from './store/feed.js'
import { peerVersions } from './store/peer.js'
import { readRows } from './store/read.js'
import { rebuildRows } from './store/rebuild.js'
import { stateRows } from './store/state-as-of.js'
import { verifyRows } from './store/verify.js'

/**
 * The ledger beside another event store, on one server of PostgreSQL that is started for it: the same events, each
 * in a database of its own, in turns.
 */
export const store: Group = async () => {
  const server = await startTestServer()
  try {
    const rows: Array<Row> = []
    for (const [part, measure] of parts) {
      process.stderr.write(`docket: measuring ${part} …\n`)
      rows.push(...(await measure(server.url)))
    }
    const events = `events of ${bytesOfEvent()} bytes of JSON on average`
    return { about: [`${await describeServer(server.url)}, ${machine()}, ${events}`, peerVersions()], rows }
  } finally {
    await server.stop()
  }
}

const parts = [
  ['appends', appendRows],
  ['rebuilds', rebuildRows],
  ['reads', readRows],
  ['states of the past', stateRows],
  ['verification', verifyRows],
  ['the feed', feedRows],
] as const

const describeServer = async (address: string): Promise<string> => {
  const { rows } = await asOwner(address, (client) =>
    client.query<{ readonly text: string }>(
      `select 'PostgreSQL ' || current_setting('server_version') || string_agg(', ' || name || ' ' || setting, '' order by name) as text
      from pg_settings where name in ('fsync', 'synchronous_commit', 'wal_sync_method')`,
    ),
  )
  return rows[0]?.text ?? ''
}
