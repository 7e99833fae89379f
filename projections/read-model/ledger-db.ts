import type { Kysely } from 'kysely'
import type { EventStore } from '../../events/store/event-store.js'
import type { Tables } from '../../events/store/tables.js'

/** A ledger with its tables: read models are rows beside the events that they are folded from. */
export type LedgerDb = { readonly store: Pick<EventStore, 'readAll' | 'head'>; readonly db: Kysely<Tables> }
