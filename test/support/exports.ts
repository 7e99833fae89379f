import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { writeEvent } from '../../events/read-event.js'
import { jobStream } from '../../events/read-stream.js'
import type { OpenedStore } from '../../events/store/open-store.js'
import { exportJob } from '../../events/transfer/export-job.js'
import { exportLedger } from '../../events/transfer/export-ledger.js'
import { artifact, artifactBytes } from './job-events.js'
import { acceptedJob } from './story.js'

/** Appends the events of some accepted jobs in turns, so that they lie between one another. */
export const interleavedJobs = async (store: OpenedStore, ...jobs: ReadonlyArray<string>): Promise<void> => {
  await store.putArtifact(artifactBytes)
  const events = acceptedJob.map(writeEvent)
  for (let at = 0; at < events.length; at += 4) {
    for (const job of jobs) {
      await store.append({
        stream: jobStream(job),
        expected: at === 0 ? 'none' : at,
        events: events.slice(at, at + 4),
        actor: 'test',
        commandId: randomUUID(),
        correlationId: job,
      })
    }
  }
}

/** An export as its lines. */
export type Lines = ReadonlyArray<string>

const collected = async (
  write: (line: (text: string) => Promise<void>) => Promise<unknown>,
): Promise<Lines> => {
  const lines: Array<string> = []
  await write(async (text) => void lines.push(text.slice(0, -1)))
  return lines
}

export const ledgerLines = (store: OpenedStore): Promise<Lines> =>
  collected((write) => exportLedger(store.db, write))

export const jobLines = (store: OpenedStore, job: string, proof = true): Promise<Lines> =>
  collected((write) => exportJob(store.db, { job, proof, artifacts: [artifact.sha256] }, write))

export const streamOf = (lines: Lines): Readable =>
  Readable.from(lines.map((line) => Buffer.from(`${line}\n`, 'utf8')))

/** Some lines changed, and the end made to hash them as if nothing were. */
export const altered = (lines: Lines, alter: (line: string, number: number) => string): Lines => {
  const changed = lines.slice(0, -1).map(alter)
  const hash = createHash('sha256')
  for (const line of changed) hash.update(`${line}\n`)
  const end = JSON.parse(lines.at(-1) ?? '{}') as object
  return [...changed, JSON.stringify({ ...end, sha256: hash.digest('hex') })]
}
