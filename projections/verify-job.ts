import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Difference } from '../events/chain.js'
import { decodeOrThrow, jobStream, UnreadableLedger } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import type { OpenedStore } from '../events/store/open-store.js'
import { exportJob, type JobExport } from '../events/transfer/export-job.js'
import { readModels } from './read-models.js'
import { artifactsNamed } from './verify-artifacts.js'
import { type VerifiedExport, verifyExport } from './verify-export.js'

export type VerifiedJob = Pick<VerifiedExport, 'events' | 'artifacts' | 'linkThere' | 'differences'> & {
  /** The head to which its links lead. */
  readonly position: number
  readonly hash: string
}

/**
 * Verifies one job where it lies, as its export would be: its hashes, the links from its first event to the head, its
 * artifacts, its verdicts decided again; and its documents in the read models. An event that cannot be read is told
 * alone, since what follows from it would be a guess.
 *
 * @param linkAt A position whose link to give back.
 */
export const verifyJob = async (store: OpenedStore, job: string, linkAt?: number): Promise<VerifiedJob> => {
  try {
    const events = (await store.readStream(jobStream(job))).map(decodeOrThrow)
    const named = artifactsNamed()
    for (const event of events) named.take(event)
    const { header, ...verified } = await verifyAsExport(
      store,
      { job, proof: true, artifacts: named.all().keys() },
      linkAt,
    )
    const models = await differingModels(store, job, events, header.position)
    const { position, hash } = header
    return { ...verified, position, hash, differences: [...verified.differences, ...models] }
  } catch (cause) {
    if (!(cause instanceof UnreadableLedger)) throw cause
    const { position, reasons } = cause.event
    const head = await store.head()
    return {
      ...head,
      events: 0,
      artifacts: 0,
      linkThere: null,
      differences: [{ position, what: reasons.join('; ') }],
    }
  }
}

/** The export goes from one end of a pipe to the other and is nowhere whole. */
const verifyAsExport = async (
  store: OpenedStore,
  job: JobExport,
  linkAt: number | undefined,
): Promise<VerifiedExport> => {
  const pipe = new PassThrough()
  const write = async (text: string): Promise<void> => {
    if (!pipe.write(text)) await once(pipe, 'drain')
  }
  const exporting = exportJob(store.db, job, write).then(
    () => pipe.end(),
    (cause: Error) => pipe.destroy(cause),
  )
  const verified = await verifyExport(pipe, { linkAt })
  await exporting
  return verified
}

const differingModels = async (
  store: OpenedStore,
  job: string,
  events: ReadonlyArray<Recorded>,
  upTo: number,
): Promise<ReadonlyArray<Difference>> => {
  const found: Array<Difference> = []
  for (const model of readModels) {
    const fold = model.foldAgain()
    for (const event of events) fold.take(event)
    const { position, keys } = await fold.differing({ store, db: store.db }, upTo, new Set())
    if (keys.includes(job)) {
      found.push({ position, what: `read model ${model.name} holds another ${job} than the events give` })
    }
  }
  return found
}
