import * as E from 'fp-ts/lib/Either.js'
import type { EventStore } from '../../events/store/event-store.js'
import { requestOf, type Said, type Tried } from './said.js'

/** Sends a command, and tells what was answered. */
export const appendAndSay = async (store: EventStore, tried: Tried): Promise<Said> => {
  const { commandId } = tried
  const appended = await store.append(requestOf(tried))
  if (E.isRight(appended)) {
    const { firstPosition, lastPosition, firstVersion, repeated } = appended.right
    return {
      tag: 'acknowledged',
      acknowledged: { commandId, firstPosition, lastPosition, firstVersion },
      repeated,
    }
  }
  const failure = appended.left
  return failure.tag === 'store-unavailable'
    ? { tag: 'unknown', commandId, why: failure.message }
    : { tag: 'refused', commandId, why: failure.tag }
}
