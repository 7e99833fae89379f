import * as E from 'fp-ts/lib/Either.js'
import { UnreadableLedger } from '../read-stream.js'
import type { Recorded } from '../recorded.js'
import { readKept } from '../store/read-kept.js'
import { keptFromLine } from './event-line.js'
import { type ExportLine, parseLine } from './format.js'

/** Whether a line belongs to the record of an imported job: everything but its artifacts, which are kept by themselves. */
export const isOfRecord = ({ line }: ExportLine): boolean => line !== 'artifact' && line !== 'end'

/** The events in the record of an imported job, in order, with the places that they had in their own ledger. */
export const eventsInRecord = (record: Uint8Array): ReadonlyArray<Recorded> =>
  Buffer.from(record)
    .toString('utf8')
    .split('\n')
    .flatMap((text) => {
      if (text === '') return []
      const parsed = parseLine(text)
      if (E.isLeft(parsed))
        throw new Error(`the record of an imported job has a line that is none: ${parsed.left}`)
      if (parsed.right.line !== 'event') return []
      const read = readKept(keptFromLine(parsed.right))
      if (E.isLeft(read)) throw new UnreadableLedger(read.left)
      return [read.right]
    })
