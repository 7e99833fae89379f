import type { DocketEvent } from './docket-event.js'
import type { RecordedEvent } from './envelope.js'

/** Where and when an event stands in the ledger. */
export type Place = Omit<RecordedEvent, 'type' | 'schemaVersion' | 'data'>

/** A decoded event in its place: what every fold takes. */
export type Recorded = DocketEvent & Place
