import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { ProbeAsked } from '../events/probe-asked.js'
import type { Artifact } from '../events/values/artifact.js'
import type { Decide } from './decider.js'
import { runningStage, type StageCommand } from './job/guards.js'
import type { JobState } from './job/state.js'
import { refusal } from './refusal.js'

export type AskReferences = StageCommand & {
  /** The command line of the oracle that the runner starts itself. */
  readonly oracle: string
  /** The probes that are well-formed, by the id of their decision. */
  readonly probes: ReadonlyArray<{ readonly id: string; readonly probe: Artifact }>
}

/** The reference stage asks for its check: each probe goes to the browsers once in an attempt. */
export const askReferences: Decide<JobState, AskReferences> = (state, { oracle, probes, ...command }) =>
  pipe(
    runningStage(state, command),
    E.filterOrElse(
      ({ running }) =>
        running.stage.kind === 'script' && running.stage.checks.some(({ check }) => check === 'reference'),
      () => refusal('out-of-turn', 'only a script stage with a reference check may ask for it'),
    ),
    E.filterOrElse(
      ({ running }) => running.asked.length === 0,
      () => refusal('out-of-turn', 'the browsers were asked already in this attempt'),
    ),
    E.filterOrElse(
      ({ job }) => probes.every(({ id }) => job.decisions.some((decision) => decision.id === id)),
      () => refusal('out-of-turn', 'a probe belongs to no recorded decision'),
    ),
    E.map(({ round }) =>
      probes.map(({ id, probe }) =>
        ProbeAsked.of({ round, stage: command.stage, attempt: command.attempt, id, probe, oracle }),
      ),
    ),
  )
