import * as E from 'fp-ts/lib/Either.js'
import type { Appended, AppendFailure } from '../envelope.js'
import { type Connection, isAway, unavailable } from './connect.js'
import type { EncodedRequest } from './encode-request.js'
import { type OutcomeRow, outcomeOf } from './outcome.js'

export type AppendResult = E.Either<AppendFailure, Appended>

/** Appends by one call of one function of the database; each request has its own result, in their order. */
export const appendBatch = async (
  connection: Connection,
  batch: ReadonlyArray<EncodedRequest>,
): Promise<ReadonlyArray<AppendResult>> => {
  const values = valuesOf(batch)
  for (let attempt = 0; ; attempt++) {
    try {
      const { rows } = await connection.pool.query<OutcomeRow>({ ...statement, values })
      return batch.map(({ request }, place) => outcomeOf(request, rows[place]))
    } catch (cause) {
      if (!isAway(cause)) throw cause
      // The answer was lost and may have been yes. The same commands sent again answer the truth, since the
      // function waits for the head that a commit still under way holds.
      const pause = pauses[attempt]
      if (pause === undefined || connection.pool.ending) {
        const message = unavailable(cause).message
        return batch.map(() => E.left({ tag: 'store-unavailable', message, cause }))
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** Milliseconds before each further attempt: none after one lost connection, 8 s in all for a server to start again. */
const pauses = [0, 250, 500, 1000, 2000, 4000]

const statement = {
  name: 'append-batch',
  text: 'select * from append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
} as const

const valuesOf = (batch: ReadonlyArray<EncodedRequest>): Array<unknown> => {
  const requests = batch.map(({ request }) => request)
  const events = requests.flatMap((request) => request.events)
  return [
    requests.map(({ stream }) => stream),
    requests.map(({ expected }) => (typeof expected === 'number' ? 'version' : expected)),
    numbers(requests.map(({ expected }) => (typeof expected === 'number' ? expected : null))),
    numbers(requests.map(({ epoch }) => epoch ?? null)),
    numbers(requests.map(({ claims }) => claims ?? null)),
    requests.map(({ commandId }) => commandId),
    batch.map(({ requestHash }) => requestHash),
    requests.map(({ actor }) => actor),
    requests.map(({ correlationId }) => correlationId),
    numbers(requests.map((request) => request.events.length)),
    numbers(requests.flatMap((request, place) => request.events.map(() => place + 1))),
    events.map(({ type }) => type),
    numbers(events.map(({ schemaVersion }) => schemaVersion)),
    arrayOfBytes(
      events.length,
      batch.map(({ bodies }) => bodies),
    ),
  ]
}

/** An array as PostgreSQL writes it; the driver would quote each of thousands of numbers. */
const numbers = (items: ReadonlyArray<number | null>): string =>
  `{${items.map((item) => item ?? 'null').join(',')}}`

/** A `bytea[]` in the binary format, in which the driver sends every buffer: as text it would be twice as long. */
const arrayOfBytes = (length: number, items: ReadonlyArray<Buffer>): Buffer => {
  const [dimensions, nulls, bytea, from] = [1, 0, 17, 1]
  const header = Buffer.alloc(20)
  for (const [place, value] of [dimensions, nulls, bytea, length, from].entries()) {
    header.writeInt32BE(value, place * 4)
  }
  return Buffer.concat([header, ...items])
}
