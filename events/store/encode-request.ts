import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendFailure, AppendRequest } from '../envelope.js'
import { canonicalBytes, canonicalEvent } from './canonical.js'
import { findUnfit } from './check-request.js'

/** A request with the bytes of its events, ready to be sent. */
export type EncodedRequest = {
  readonly request: AppendRequest
  /** The events' bytes as items of an array in PostgreSQL's binary format: each after its length, an `int4`. */
  readonly bodies: Buffer
  readonly requestHash: Buffer
}

/** `Left` names the first value that cannot be kept as it is. */
export const encodeRequest = (request: AppendRequest): E.Either<AppendFailure, EncodedRequest> => {
  const unfit = findUnfit(request)
  if (unfit !== null) return E.left(unfit)
  const texts: Array<string> = []
  for (const [index, event] of request.events.entries()) {
    const text = canonicalEvent(request, event)
    if (E.isLeft(text)) return E.left({ ...text.left, path: `events[${index}].${text.left.path}` })
    texts.push(text.right)
  }
  const bodies = itemsOf(texts)
  return E.right({ request, bodies, requestHash: requestHash(request, bodies) })
}

const itemsOf = (texts: ReadonlyArray<string>): Buffer => {
  const items = Buffer.allocUnsafe(
    texts.reduce((bytes, text) => bytes + 4 + Buffer.byteLength(text, 'utf8'), 0),
  )
  let at = 0
  for (const text of texts) {
    const size = items.write(text, at + 4, 'utf8')
    items.writeInt32BE(size, at)
    at += 4 + size
  }
  return items
}

/** What makes a command the same command: where it goes, under what claim, and every event's bytes. */
const requestHash = ({ stream, epoch, claims }: AppendRequest, bodies: Buffer): Buffer => {
  const about = canonicalBytes({ stream, epoch: epoch ?? null, claims: claims ?? null })
  return createHash('sha256').update(about).update(bodies).digest()
}
