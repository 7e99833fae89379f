import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { sameJson } from '../domain/same-json.js'
import { CommandRefused } from '../events/command-refused.js'
import type { DocketEvent } from '../events/docket-event.js'
import type { AppendFailure } from '../events/envelope.js'
import { writeEvent } from '../events/read-event.js'
import { readStream } from '../events/read-stream.js'
import type { Recorded } from '../events/recorded.js'
import type { EventStore } from '../events/store/event-store.js'
import type { Decide } from './decider.js'
import { type Refusal, refusal } from './refusal.js'

/** A decider with the fold that it decides on; `name` is what a refusal is recorded under. */
export type Decider<State, Command> = {
  readonly name: string
  readonly initial: State
  readonly evolve: (state: State, event: DocketEvent) => State
  readonly decide: Decide<State, Command>
}

export type Envelope = {
  readonly stream: string
  readonly actor: string
  /** Sent again under the same id, a command changes nothing and answers the same. */
  readonly commandId: string
  readonly correlationId: string
  readonly epoch?: number
}

export type HandleFailure =
  | { readonly tag: 'refused'; readonly refusal: Refusal }
  | { readonly tag: 'not-appended'; readonly failure: AppendFailure }

export type Handled<State> = { readonly state: State; readonly events: ReadonlyArray<DocketEvent> }

/** Load, decide, append at the version that was loaded; a conflict alone is tried again. */
export const handle = async <State, Command>(
  store: EventStore,
  decider: Decider<State, Command>,
  envelope: Envelope,
  command: Command,
): Promise<E.Either<HandleFailure, Handled<State>>> => {
  for (let attempt = 1; ; attempt++) {
    const recorded = await readStream(store, envelope.stream)
    const before = recorded.filter(({ causationId }) => causationId !== envelope.commandId)
    const repeated = recorded.filter(({ causationId }) => causationId === envelope.commandId)
    if (repeated.length > 0) return answerAgain(decider, before, repeated, command)

    const state = recorded.reduce(decider.evolve, decider.initial)
    const decided = decider.decide(state, command)
    if (E.isLeft(decided)) return refuse(store, decider.name, envelope, decided.left)
    const events = decided.right
    if (events.length === 0) return E.right({ state, events })

    const appended = await store.append({
      stream: envelope.stream,
      expected: recorded.at(-1)?.version ?? 'none',
      events: events.map(writeEvent),
      actor: envelope.actor,
      commandId: envelope.commandId,
      correlationId: envelope.correlationId,
      ...(envelope.epoch === undefined ? {} : { epoch: envelope.epoch }),
      ...claimOf(events),
    })
    if (E.isRight(appended)) return E.right({ state: events.reduce(decider.evolve, state), events })
    if (appended.left.tag === 'stale-epoch') {
      const { epoch, current } = appended.left
      return refuse(
        store,
        decider.name,
        envelope,
        refusal('claim-lost', `epoch ${epoch} is over: ${current}`),
      )
    }
    if (appended.left.tag !== 'version-conflict' || attempt === maxAttempts) {
      return E.left({ tag: 'not-appended', failure: appended.left })
    }
  }
}

const maxAttempts = 50

/** An append that holds a claim takes it in the store as well, so that older epochs are fenced off. */
const claimOf = (events: ReadonlyArray<DocketEvent>): { readonly claims?: number } => {
  const claim = events.find((event) => event.type === 'JobClaimed')
  return claim === undefined ? {} : { claims: claim.data.epoch }
}

/** The command is in the ledger: decided again on what it was decided on, it must come out the same. */
const answerAgain = <State, Command>(
  { decide, evolve, initial }: Decider<State, Command>,
  others: ReadonlyArray<Recorded>,
  repeated: ReadonlyArray<Recorded>,
  command: Command,
): E.Either<HandleFailure, Handled<State>> => {
  const first = repeated[0]?.version ?? 0
  const state = others.filter(({ version }) => version < first).reduce(evolve, initial)
  const decided = decide(state, command)
  const events: ReadonlyArray<DocketEvent> = repeated.map(({ type, data }) => ({ type, data }) as DocketEvent)
  return E.isRight(decided) && sameJson(decided.right, events)
    ? E.right({ state: events.reduce(evolve, state), events })
    : E.left({
        tag: 'refused',
        refusal: refusal('command-id-reused', 'another command was sent under this id before'),
      })
}

const refuse = async (
  store: EventStore,
  command: string,
  { stream, actor, correlationId }: Envelope,
  why: Refusal,
): Promise<E.Either<HandleFailure, never>> => {
  const event = CommandRefused.of({ command, stream, refusal: why.tag, message: why.message })
  const appended = await store.append({
    stream: 'refusals',
    expected: 'any',
    events: [writeEvent(event)],
    actor,
    commandId: `refused:${randomUUID()}`,
    correlationId,
  })
  return E.isLeft(appended) && appended.left.tag === 'store-unavailable'
    ? E.left({ tag: 'not-appended', failure: appended.left })
    : E.left({ tag: 'refused', refusal: why })
}
