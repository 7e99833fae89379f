import type { Readable } from 'node:stream'

/**
 * The lines of a stream of UTF-8, split at line feeds and nowhere else: Node's own reader also splits at U+2028,
 * which may stand in JSON as it is. The last one may lack its line feed. Throws a `TypeError` at what is no UTF-8.
 */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
  let pieces: Array<Buffer> = []
  const take = (): string => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    return utf8.decode(bytes)
  }
  for await (const chunk of input) {
    let rest: Buffer = Buffer.from(chunk as Uint8Array)
    for (let at = rest.indexOf(lineFeed); at >= 0; at = rest.indexOf(lineFeed)) {
      pieces.push(rest.subarray(0, at))
      yield take()
      rest = rest.subarray(at + 1)
    }
    if (rest.length > 0) pieces.push(rest)
  }
  if (pieces.length > 0) yield take()
}

const lineFeed = 0x0a

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
