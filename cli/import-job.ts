import { createReadStream } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { handle } from '../commands/handle.js'
import { importJob } from '../commands/import-job.js'
import { importedStream, jobStream } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import type { ArtifactRef, EventStore } from '../events/store/event-store.js'
import { BadExport, CannotImport } from '../events/transfer/bad-export.js'
import type { HeaderLine } from '../events/transfer/format.js'
import { readExport } from '../events/transfer/read-export.js'
import { isOfRecord } from '../events/transfer/record.js'
import { foldJob } from '../projections/job/fold.js'
import { summarise } from '../projections/summary.js'
import { verifyExport } from '../projections/verify-export.js'
import type { Import } from './load-job.js'

/** The header of an export, which tells what it holds. */
export const headerOf = async (path: string): Promise<HeaderLine> => {
  const input = createReadStream(path)
  try {
    for await (const { line } of readExport(input)) if (line.line === 'header') return line
  } finally {
    input.destroy()
  }
  throw new BadExport('it is empty')
}

/**
 * Takes in a job from its export: verified whole first, then its artifacts, then its record, and last the event that
 * names them, so that an import that is killed leaves bytes that nothing names, and no half of a job.
 */
export const importJobFrom = async (store: EventStore, path: string): Promise<Import> => {
  const events: Array<Recorded> = []
  const { header, differences } = await verifyExport(createReadStream(path), {
    onEvent: (event) => void events.push(event),
  })
  const [first, ...others] = differences
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more: docket verify --export lists them`
    throw new BadExport(`position ${first.position}: ${first.what}${more}`)
  }
  const view = foldJob(events)
  if (view === null || header.job === null) throw new BadExport('it does not begin with a submission')
  const { job, importedFrom, position, ...summary } = summarise(view)
  if ((await store.readStream(jobStream(job))).length > 0) {
    throw new CannotImport(`this ledger has job ${job} already, and ran it itself`)
  }
  const { record, artifacts } = await keep(store, path)
  const { ledger, hash, proof } = header
  const command: Import = {
    job,
    ledger,
    position: header.position,
    hash,
    proof,
    record,
    artifacts,
    summary,
  }
  const envelope = {
    stream: importedStream(job),
    actor: 'cli',
    commandId: `import:${job}:${record.sha256}`,
    correlationId: job,
  }
  const imported = await handle(store, importJob, envelope, command)
  if (E.isRight(imported)) return command
  const failure = imported.left
  if (failure.tag === 'refused') throw new CannotImport(failure.refusal.message)
  throw new Error(`the import could not be appended: ${failure.failure.tag}`)
}

type Kept = { readonly record: ArtifactRef; readonly artifacts: ReadonlyArray<ArtifactRef> }

/** Keeps the artifacts of an export that was verified, and the rest of it as one more. */
const keep = async (store: EventStore, path: string): Promise<Kept> => {
  const record: Array<string> = []
  const artifacts: Array<ArtifactRef> = []
  let pieces: Array<Buffer> = []
  let length = 0
  for await (const { line, text } of readExport(createReadStream(path))) {
    if (isOfRecord(line)) record.push(`${text}\n`)
    if (line.line !== 'artifact') continue
    const piece = Buffer.from(line.bytes, 'base64')
    pieces.push(piece)
    length += piece.length
    if (length < line.size) continue
    artifacts.push(await store.putArtifact(Buffer.concat(pieces)))
    pieces = []
    length = 0
  }
  return { record: await store.putArtifact(Buffer.from(record.join(''), 'utf8')), artifacts }
}
