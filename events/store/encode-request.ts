import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendFailure, AppendRequest } from '../envelope.js'
import { canonicalBytes, canonicalEvent } from './canonical.js'
import { findUnfit } from './check-request.js'

/** A request with the bytes of its events, ready to be sent. */
export type EncodedRequest = {
  readonly request: AppendRequest
  readonly bodies: ReadonlyArray<Buffer>
  readonly requestHash: Buffer
}

/** `Left` names the first value that cannot be kept as it is. */
export const encodeRequest = (request: AppendRequest): E.Either<AppendFailure, EncodedRequest> => {
  const unfit = findUnfit(request)
  if (unfit !== null) return E.left(unfit)
  const bodies: Array<Buffer> = []
  for (const event of request.events) {
    const body = canonicalEvent(request, event)
    if (E.isLeft(body)) return body
    bodies.push(body.right)
  }
  return E.right({ request, bodies, requestHash: requestHash(request, bodies) })
}

/** What makes a command the same command: where it goes, under what claim, and every event's bytes. */
const requestHash = ({ stream, epoch, claims }: AppendRequest, bodies: ReadonlyArray<Buffer>): Buffer => {
  const hash = createHash('sha256')
  hash.update(canonicalBytes({ stream, epoch: epoch ?? null, claims: claims ?? null }))
  for (const body of bodies) hash.update(createHash('sha256').update(body).digest())
  return hash.digest()
}
