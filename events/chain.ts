import { hash } from 'node:crypto'

/** Something in a ledger that is not as it was appended, at the position where it shows. */
export type Difference = { readonly position: number; readonly what: string }

/** An event as it is kept: its columns, the text of its canonical bytes, and its hashes in hex. */
export type KeptEvent = {
  readonly position: number
  readonly stream: string
  readonly version: number
  readonly type: string
  readonly schemaVersion: number
  /** Microseconds since 1970. */
  readonly at: number
  readonly actor: string
  readonly causationId: string
  readonly correlationId: string
  /** Null where the bytes are no text in UTF-8 any more. */
  readonly body: string | null
  readonly eventHash: string
  readonly hash: string
}

/** A place between two events: the position before it, and the hash there in hex. */
export type Link = { readonly position: number; readonly hash: string }

/** Goes from link to link; every call returns what differs there and goes on from what is kept. */
export type ChainWalk = {
  /** The position that it came to. */
  readonly position: () => number
  /** The hash there, in hex. */
  readonly hash: () => string
  readonly take: (event: KeptEvent) => ReadonlyArray<Difference>
  /** Goes over events of which only what their links were made from is known. */
  readonly takeLeaves: (from: number, leaves: Buffer) => ReadonlyArray<Difference>
  /** Goes on elsewhere, over events that are not there. */
  readonly leap: (to: Link) => void
}

/**
 * What the link of an event is made from, beside its position: the hash of its stream's name, its version, its time
 * and its hash. It tells nothing of what the event says.
 */
export const leafBytes = 80

/** The hash before the first event, so that no event of one ledger can pass for one of another. */
export const firstLink = (ledger: string, format: number): string =>
  hash('sha256', `docket ledger, format ${format}, ${ledger}`, 'hex')

/**
 * Walks events from a link on; those of a whole ledger from its first.
 *
 * @param onLink Called with every link that it comes to.
 */
export const walkChain = (
  start: Link,
  onLink: (position: number, hash: string) => void = () => {},
): ChainWalk => {
  const versions = new Map<string, number>()
  const linkOf = linking()
  const columnsDiffer = columnsAgainstText()
  let { position, hash: link } = start

  const take = (event: KeptEvent): ReadonlyArray<Difference> => {
    const found: Array<Difference> = []
    const differs = (what: string): void => void found.push({ position: event.position, what })
    if (event.position !== position + 1) found.push(missing(position + 1, event.position - 1))
    const eventHash = event.body === null ? event.eventHash : hash('sha256', event.body, 'hex')
    if (event.body === null || eventHash !== event.eventHash)
      differs('its bytes are not those that were hashed')
    if (linkOf(link, event, eventHash) !== event.hash) differs('its link of the chain does not hold')
    if (event.version !== (versions.get(event.stream) ?? 0) + 1) {
      differs(`version ${event.version} of ${event.stream} is out of turn`)
    }
    if (columnsDiffer(event)) differs('a column differs from its bytes')
    versions.set(event.stream, event.version)
    link = event.hash
    position = event.position
    onLink(position, link)
    return found
  }

  const takeLeaves = (from: number, leaves: Buffer): ReadonlyArray<Difference> => {
    const found = from === position + 1 ? [] : [missing(position + 1, from - 1)]
    for (let at = 0; at + leafBytes <= leaves.length; at += leafBytes) {
      position = from + at / leafBytes
      link = linkOverLeaf(link, position, leaves.subarray(at, at + leafBytes))
      onLink(position, link)
    }
    return found
  }
  const leap = (to: Link): void => {
    position = to.position
    link = to.hash
    onLink(position, link)
  }
  return { position: () => position, hash: () => link, take, takeLeaves, leap }
}

export const missing = (from: number, to: number): Difference => ({
  position: from,
  what: from === to ? 'the event is missing' : `the events up to ${to} are missing`,
})

type Place = Pick<KeptEvent, 'position' | 'stream' | 'version' | 'at'>

/** The next link: SHA-256 over the one before, the position, the stream's hash, the version, the time and the event's hash. */
const linking = (): ((link: string, place: Place, eventHash: string) => string) => {
  const streams = new Map<string, string>()
  const bytes = Buffer.alloc(120)
  return (link, { position, stream, version, at }, eventHash) => {
    // No link was ever made over such: a double could not even hold them.
    if (!Number.isSafeInteger(version) || !Number.isSafeInteger(at)) return ''
    let streamHash = streams.get(stream)
    if (streamHash === undefined) {
      streamHash = hash('sha256', stream, 'hex')
      streams.set(stream, streamHash)
    }
    bytes.write(link, 0, 'hex')
    writeInt8(bytes, position, 32)
    bytes.write(streamHash, 40, 'hex')
    writeInt8(bytes, version, 72)
    writeInt8(bytes, at, 80)
    bytes.write(eventHash, 88, 'hex')
    return hash('sha256', bytes, 'hex')
  }
}

const linkOverLeaf = (link: string, position: number, leaf: Buffer): string => {
  const bytes = Buffer.alloc(40 + leafBytes)
  bytes.write(link, 0, 'hex')
  writeInt8(bytes, position, 32)
  leaf.copy(bytes, 40)
  return hash('sha256', bytes, 'hex')
}

/** As PostgreSQL's `int8send` writes it. */
const writeInt8 = (bytes: Buffer, value: number, at: number): void => {
  const high = Math.floor(value / 2 ** 32)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE(value - high * 2 ** 32, at + 4)
}

/**
 * Whether the columns say something else than the text, whose keys stand in the order of RFC 8785: what lies
 * before the data and after it is written from the columns. Neighbours have most of it in common.
 */
const columnsAgainstText = (): ((event: KeptEvent) => boolean) => {
  let start = { actor: '', causationId: '', correlationId: '', text: '' }
  const ends = new Map<string, string>()
  return ({ actor, causationId, correlationId, schemaVersion, type, body }) => {
    if (actor !== start.actor || causationId !== start.causationId || correlationId !== start.correlationId) {
      const text = `{${pair('actor', actor)},${pair('causationId', causationId)},${pair('correlationId', correlationId)},"data":`
      start = { actor, causationId, correlationId, text }
    }
    const endKey = `${schemaVersion} ${type}`
    let end = ends.get(endKey)
    if (end === undefined) {
      end = `,"schemaVersion":${schemaVersion},${pair('type', type)}}`
      ends.set(endKey, end)
    }
    const shortest = start.text.length + end.length + 1
    return body === null || body.length < shortest || !body.startsWith(start.text) || !body.endsWith(end)
  }
}

const pair = (key: string, value: string): string => `"${key}":${JSON.stringify(value)}`
