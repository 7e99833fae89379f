import type { Json } from '../../events/envelope.js'
import type { Recorded } from '../../events/recorded.js'

/** A read model: one document a key, folded from the whole ledger in order. */
export type Projection<Doc> = {
  readonly name: string
  /** Of its rule and the shape of its documents: another number, and it is built anew. */
  readonly version: number
  /** The key of the document that an event changes, or `null` when it changes none. */
  readonly keyOf: (event: Recorded) => string | null
  /** The streams whose events make a document. */
  readonly streamsOf: (key: string) => ReadonlyArray<string>
  readonly evolve: (doc: Doc | null, event: Recorded) => Doc | null
  /** Reads back a document that was stored; what it gives must fold on as the original would have. */
  readonly decode: (stored: Json) => Doc
}
