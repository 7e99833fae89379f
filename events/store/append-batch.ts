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
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await connection.pool.query<OutcomeRow>({ ...statement, values })
      return batch.map(({ request }, place) => outcomeOf(request, rows[place]))
    } catch (cause) {
      if (!isAway(cause)) throw cause
      // The answer was lost and may have been yes. The same commands sent again answer the truth, since the
      // function waits for the head that a commit still under way holds.
      if (attempt === attempts || connection.pool.ending) {
        const message = unavailable(cause).message
        return batch.map(() => E.left({ tag: 'store-unavailable', message, cause }))
      }
      await new Promise((resolve) => setTimeout(resolve, 125 * 2 ** attempt))
    }
  }
}

/** The pauses between them double from a quarter of a second, 8 s in all: a server takes some to start again. */
const attempts = 6

const statement = {
  name: 'append-batch',
  text: 'select * from append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
} as const

const valuesOf = (batch: ReadonlyArray<EncodedRequest>): Array<unknown> => {
  const requests = batch.map(({ request }) => request)
  const events = requests.flatMap((request) => request.events)
  return [
    requests.map(({ stream }) => stream),
    requests.map(({ expected }) => (typeof expected === 'number' ? 'version' : expected)),
    requests.map(({ expected }) => (typeof expected === 'number' ? expected : null)),
    requests.map(({ epoch }) => epoch ?? null),
    requests.map(({ claims }) => claims ?? null),
    requests.map(({ commandId }) => commandId),
    batch.map(({ requestHash }) => requestHash),
    requests.map(({ actor }) => actor),
    requests.map(({ correlationId }) => correlationId),
    batch.map(({ bodies }) => bodies.length),
    events.map(({ type }) => type),
    events.map(({ schemaVersion }) => schemaVersion),
    batch.flatMap(({ bodies }) => bodies),
  ]
}
