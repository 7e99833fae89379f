import { randomUUID } from 'node:crypto'
import { eventDefinitions } from '../../../events/docket-event.js'
import { evolveView } from '../../../projections/job/fold.js'
import type { JobView } from '../../../projections/job/view.js'
import { readModels } from '../../../projections/read-models.js'
import { evolveSummary, type JobSummary } from '../../../projections/summary.js'
import { inTurns, type Row, rowOf, timed } from '../../measure.js'
import { fill } from './fill.js'
import { type Pair, withPair } from './pair.js'
import { emmett, recordedOf } from './peer.js'

/** Events a second of the rebuild of both read models, a job's row and a job's view, from the first event on. */
export const rebuildRows = (server: string): Promise<ReadonlyArray<Row>> =>
  withPair(server, async (pair) => {
    const events = await fill(pair, { docket: 300, peer: 10 })
    const measured = await inTurns(
      3,
      async () => events.docket / ((await timed(() => rebuildDocket(pair.docket))) / 1000),
      async () => events.peer / ((await timed(() => rebuildPeer(pair.peer))) / 1000),
    )
    const wanted = 'over 100,000, ahead of the peer'
    const note = [
      'rebuild: the peer by rebuildPostgreSQLProjections with two pongoSingleStreamProjections that fold with the same functions;',
      `${events.docket} events of Docket's, ${events.peer} of the peer's, which writes after each event`,
    ].join(' ')
    return [rowOf('rebuild the read models', 'events/s', measured, wanted, note)]
  })

const rebuildDocket = async ({ store }: Pair['docket']): Promise<void> => {
  for (const model of readModels) await model.rebuild({ store, db: store.db }, () => {})
}

const canHandle = Object.keys(eventDefinitions)

const projections = [
  emmett.pongoSingleStreamProjection<JobSummary>({
    collectionName: 'job_summaries',
    canHandle,
    getDocumentId: ({ metadata }) => metadata.correlationId,
    evolve: (doc, event) => evolveSummary(doc, recordedOf(event)),
  }),
  emmett.pongoSingleStreamProjection<JobView>({
    collectionName: 'job_views',
    canHandle,
    getDocumentId: ({ metadata }) => metadata.correlationId,
    evolve: (doc, event) => evolveView(doc, recordedOf(event)),
  }),
]

/** In batches of which few are waited between; as a new processor, since one that is known goes on where it was. */
const rebuildPeer = async ({ address }: Pair['peer']): Promise<void> => {
  const consumer = emmett.rebuildPostgreSQLProjections({
    connectionString: address,
    projections: projections.map((projection) => ({ projection, processorId: randomUUID() })),
    pulling: { batchSize: 1000, pullingFrequencyInMs: 1 },
  })
  await consumer.start()
  await consumer.close()
}
