import { type Kysely, sql } from 'kysely'
import { answered } from './connect.js'
import type { Tables } from './tables.js'

/** A piece of an artifact, of a mebibyte at most; an artifact of no bytes has one piece of none, at place 0. */
export type KeptChunk = {
  /** In hex. */
  readonly sha256: string
  /** Of the whole artifact, in bytes. */
  readonly size: number
  readonly place: number
  readonly bytes: Buffer
}

/** The pieces of one artifact, or of all that are kept, by artifact and place, some at a time. */
export async function* keptChunks(db: Kysely<Tables>, only?: string): AsyncGenerator<KeptChunk> {
  let after: Pick<KeptChunk, 'sha256' | 'place'> = { sha256: only ?? '', place: -1 }
  for (;;) {
    const chunks = await answered(() => chunksAfter(db, after, only))
    yield* chunks
    const last = chunks.at(-1)
    if (last === undefined) return
    after = last
  }
}

const chunksAfter = async (
  db: Kysely<Tables>,
  { sha256, place }: Pick<KeptChunk, 'sha256' | 'place'>,
  only: string | undefined,
): Promise<ReadonlyArray<KeptChunk>> => {
  const { rows } = await sql<Omit<KeptChunk, 'size'> & { readonly size: string }>`
    select encode(artifacts.sha256, 'hex') as sha256, artifacts.size,
      coalesce(chunk.place, 0) as place, coalesce(chunk.bytes, ''::bytea) as bytes
    from artifacts left join artifact_chunks as chunk on chunk.sha256 = artifacts.sha256
    where artifacts.sha256 >= decode(${sha256}, 'hex')
      and (artifacts.sha256 > decode(${sha256}, 'hex') or coalesce(chunk.place, 0) > ${place})
      and (${only === undefined} or artifacts.sha256 = decode(${only ?? ''}, 'hex'))
    order by artifacts.sha256, chunk.place
    limit ${chunksAtOnce}`.execute(db)
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}

/** Of a mebibyte at most. */
const chunksAtOnce = 16
