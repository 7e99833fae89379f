import type { RecordedEvent } from '../../events/envelope.js'
import type { EventStore } from '../../events/store/event-store.js'
import type { Journal } from './journal.js'
import { requestOf, type Tried } from './said.js'

/** Something that a ledger must never do. */
export type Fault = {
  readonly kind:
    | 'lost'
    | 'doubled'
    | 'torn'
    | 'moved'
    | 'changed'
    | 'unasked'
    | 'gap'
    | 'out-of-turn'
    | 'wronged'
  readonly what: string
}

/**
 * Holds a ledger against what its writers were told: every acknowledged command is there once, whole, unchanged
 * and where it was said to be; one that was refused left nothing; one of which nobody was told is there whole
 * or not at all. Positions have no gap, and the versions of each stream follow one another.
 */
export const checkJournal = async (
  store: Pick<EventStore, 'readAll' | 'head'>,
  journal: Journal,
): Promise<ReadonlyArray<Fault>> => {
  const faults: Array<Fault> = []
  const found = (kind: Fault['kind'], what: string): void => void faults.push({ kind, what })
  const byCommand = new Map<string, Array<RecordedEvent>>()
  const versions = new Map<string, number>()
  let position = 0
  for (;;) {
    const events = await store.readAll(position, 1000)
    if (events.length === 0) break
    for (const event of events) {
      if (event.position !== position + 1) found('gap', `${event.position} comes after ${position}`)
      position = event.position
      const version = (versions.get(event.stream) ?? 0) + 1
      if (event.version !== version) {
        found('out-of-turn', `${event.stream} has ${event.version} for ${version}`)
      }
      versions.set(event.stream, event.version)
      const command = byCommand.get(event.causationId) ?? []
      byCommand.set(event.causationId, command)
      command.push(event)
    }
  }
  const head = await store.head()
  if (head.position !== position)
    found('gap', `the head is at ${head.position}, the last event at ${position}`)

  for (const [commandId, events] of byCommand) {
    const tried = journal.tried.get(commandId)
    if (tried === undefined) found('unasked', `${commandId} was tried by nobody`)
    else for (const kind of wrongWith(tried, events)) found(kind, `${commandId}: ${placesOf(events)}`)
    if (journal.refused.has(commandId)) found('unasked', `${commandId} was refused and is there`)
  }
  for (const [commandId, all] of journal.acknowledged) {
    const events = byCommand.get(commandId) ?? []
    if (events.length === 0) found('lost', `${commandId} was acknowledged and is not there`)
    for (const { firstPosition, lastPosition, firstVersion } of all) {
      const [first, last] = [events[0], events.at(-1)]
      const there = first?.position === firstPosition && last?.position === lastPosition
      if (there && first?.version === firstVersion) continue
      if (events.length > 0) found('moved', `${commandId} was told ${firstPosition}–${lastPosition}`)
    }
  }
  for (const [commandId, why] of journal.refused) {
    // Only one lane of one writer knows of such a stream, and it names the version that it brought it to.
    if (journal.tried.get(commandId)?.stream.startsWith('own-')) found('wronged', `${commandId}: ${why}`)
  }
  return faults
}

/** Compares what is kept of a command with what was sent. */
const wrongWith = (tried: Tried, events: ReadonlyArray<RecordedEvent>): ReadonlyArray<Fault['kind']> => {
  const asked = requestOf(tried).events
  if (events.length > asked.length) return ['doubled']
  if (events.length < asked.length) return ['torn']
  const same = events.every(
    ({ position, stream, type, data }, place) =>
      stream === tried.stream &&
      position === (events[0]?.position ?? 0) + place &&
      type === asked[place]?.type &&
      // Both were written by the same code, and come back with their keys in order.
      JSON.stringify(data) === JSON.stringify(sorted(asked[place]?.data)),
  )
  return same ? [] : ['changed']
}

const sorted = (data: unknown): unknown =>
  Object.fromEntries(Object.entries(data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))

const placesOf = (events: ReadonlyArray<RecordedEvent>): string =>
  events.map(({ position }) => position).join(', ')
