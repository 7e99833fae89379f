import { type Difference, firstLink, type KeptEvent, walkChain } from '../chain.js'
import { jobStream } from '../read-stream.js'
import { keptFromLine } from './event-line.js'
import type { EventLine, ExportLine, HeaderLine } from './format.js'
import { piecesTogether } from './pieces-together.js'

/** Goes over an export line by line; every call returns what differs there. */
export type ExportWalk = {
  /** @param onEvent Called with the event of an event line, as the ledger had it. */
  readonly take: (line: ExportLine, onEvent?: (event: KeptEvent) => void) => ReadonlyArray<Difference>
  /** The hashes of the artifacts that came whole. */
  readonly artifacts: ReadonlySet<string>
  readonly events: () => number
}

/**
 * Holds an export against its own hashes: every event against its hash and its link, the links against the head
 * that the header names, every artifact against its hash. Whether that head is the ledger's can only tell who
 * kept one.
 *
 * @param onLink Called with every link that it comes to.
 */
export const walkExport = (
  header: HeaderLine,
  onLink: (position: number, hash: string) => void = () => {},
): ExportWalk => {
  const walk = walkChain({ position: 0, hash: firstLink(header.ledger, header.chain) }, onLink)
  const pieces = piecesTogether()
  const artifacts = new Set<string>()
  let events = 0

  const takeEvent = (line: EventLine, onEvent: (event: KeptEvent) => void): ReadonlyArray<Difference> => {
    const kept = keptFromLine(line)
    const { position } = kept
    const found: Array<Difference> = []
    if (header.job !== null && kept.stream !== jobStream(header.job)) {
      found.push({ position, what: `it is of ${kept.stream}, and not of job ${header.job}` })
    }
    // Where the events before it are not in the export, the line names the link that it stands on.
    if (header.job !== null && (events === 0 || (!header.proof && position !== walk.position() + 1))) {
      if (line.previous === null) found.push({ position, what: 'the link before it is missing' })
      walk.leap({ position: position - 1, hash: line.previous ?? walk.hash() })
    }
    events += 1
    found.push(...walk.take(kept))
    onEvent(kept)
    return found
  }

  return {
    artifacts,
    events: () => events,
    take: (line, onEvent = () => {}) => {
      switch (line.line) {
        case 'event':
          return takeEvent(line, onEvent)
        case 'links':
          return walk.takeLeaves(line.from, Buffer.from(line.leaves, 'base64'))
        case 'artifact': {
          const { whole, wrong } = pieces.take(line)
          if (whole) artifacts.add(line.sha256)
          return wrong === null ? [] : [{ position: 0, what: wrong }]
        }
        case 'end': {
          const wrong = pieces.end()
          return [
            ...(wrong === null ? [] : [{ position: 0, what: wrong }]),
            ...(header.proof && (walk.position() !== header.position || walk.hash() !== header.hash)
              ? [{ position: walk.position(), what: 'its links do not lead to the head that it names' }]
              : []),
          ]
        }
        case 'header':
        case 'stream':
          return []
      }
    },
  }
}
