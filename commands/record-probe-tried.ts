import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { ProbeTried } from '../events/probe-tried.js'
import type { Artifact } from '../events/values/artifact.js'
import type { Decide } from './decider.js'
import { runningStage, type StageCommand } from './job/guards.js'
import type { JobState } from './job/state.js'
import { refusal } from './refusal.js'

export type RecordProbeTried = StageCommand & { readonly request: Artifact; readonly response: Artifact }

/** The writer's own trial: recorded, and never an outcome. */
export const recordProbeTried: Decide<JobState, RecordProbeTried> = (state, command) =>
  pipe(
    runningStage(state, command),
    E.filterOrElse(
      ({ running }) => running.stage.kind === 'writer',
      () => refusal('out-of-turn', 'only a writer tries a probe'),
    ),
    E.map(({ round }) => [
      ProbeTried.of({
        round,
        stage: command.stage,
        attempt: command.attempt,
        request: command.request,
        response: command.response,
      }),
    ]),
  )
