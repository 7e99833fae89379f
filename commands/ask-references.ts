import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { ProbeAsked } from '../events/probe-asked.js'
import { ReferencesAsked } from '../events/references-asked.js'
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
  /** The others, with what is wrong with them. */
  readonly notAsked: ReadonlyArray<{ readonly id: string; readonly why: string }>
}

/** The reference stage asks for its check: each probe goes to the browsers once in an attempt. */
export const askReferences: Decide<JobState, AskReferences> = (
  state,
  { oracle, probes, notAsked, ...command },
) =>
  pipe(
    runningStage(state, command),
    E.filterOrElse(
      ({ running }) =>
        running.stage.kind === 'script' && running.stage.checks.some(({ check }) => check === 'reference'),
      () => refusal('out-of-turn', 'only a script stage with a reference check may ask for it'),
    ),
    E.filterOrElse(
      ({ running }) => !running.askedReferences,
      () => refusal('out-of-turn', 'the browsers were asked already in this attempt'),
    ),
    E.filterOrElse(
      ({ job }) => {
        const ids = [...probes, ...notAsked].map(({ id }) => id)
        return ids.length === job.decisions.length && job.decisions.every(({ id }) => ids.includes(id))
      },
      () => refusal('out-of-turn', 'the probes are not those of the recorded decisions'),
    ),
    E.map(({ round }) => {
      const attempt = { round, stage: command.stage, attempt: command.attempt }
      return [
        ReferencesAsked.of({ ...attempt, oracle, notAsked }),
        ...probes.map(({ id, probe }) => ProbeAsked.of({ ...attempt, id, probe })),
      ]
    }),
  )
