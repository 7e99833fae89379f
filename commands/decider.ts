import type { Either } from 'fp-ts/lib/Either.js'
import type { DocketEvent } from '../events/docket-event.js'
import type { Refusal } from './refusal.js'

/** Pure: what a command does to a state, or why it may not. `Right([])` is accepted with nothing to do. */
export type Decide<State, Command> = (
  state: State,
  command: Command,
) => Either<Refusal, ReadonlyArray<DocketEvent>>
