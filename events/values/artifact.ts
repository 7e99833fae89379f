import * as t from 'io-ts'

/** Bytes that the ledger keeps: their SHA-256 in hex and their number. */
export const Artifact = t.strict({ sha256: t.string, size: t.number }, 'Artifact')
export type Artifact = t.TypeOf<typeof Artifact>
