import type { ExecutionContext } from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { Decide } from '../../commands/decider.js'
import { evolve } from '../../commands/job/evolve.js'
import { absent, type JobState } from '../../commands/job/state.js'
import type { RefusalTag } from '../../commands/refusal.js'
import type { DocketEvent } from '../../events/docket-event.js'

/**
 * given(events).when(decide, command) and then either the events that follow or the refusal; nothing
 * here reads or writes.
 */
export const given = (t: ExecutionContext, ...events: ReadonlyArray<DocketEvent>) => ({
  when: <Command>(decide: Decide<JobState, Command>, command: Command) => {
    const state = events.reduce(evolve, absent)
    const decided = decide(state, command)
    return {
      thenEvents: (...expected: ReadonlyArray<DocketEvent>): void => {
        t.deepEqual(decided, E.right(expected))
      },
      thenTypes: (...types: ReadonlyArray<DocketEvent['type']>): ReadonlyArray<DocketEvent> => {
        if (E.isLeft(decided)) throw new Error(`refused: ${decided.left.tag}: ${decided.left.message}`)
        t.deepEqual(
          decided.right.map(({ type }) => type),
          types,
        )
        return decided.right
      },
      thenRefused: (tag: RefusalTag): void => {
        t.is(E.isLeft(decided) ? decided.left.tag : 'accepted', tag)
      },
    }
  },
})
