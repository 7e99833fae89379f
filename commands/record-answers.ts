import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Answers } from '../domain/answer.js'
import { ProbeAnswered } from '../events/probe-answered.js'
import type { Artifact } from '../events/values/artifact.js'
import type { Decide } from './decider.js'
import { runningStage, type StageCommand } from './job/guards.js'
import type { JobState } from './job/state.js'
import { refusal } from './refusal.js'

export type RecordAnswers = StageCommand & {
  readonly answers: ReadonlyArray<{
    readonly id: string
    readonly answers: Answers
    readonly response: Artifact
  }>
}

/** What the runner's own oracle reported; taken only for probes that were asked, each once and all at once. */
export const recordAnswers: Decide<JobState, RecordAnswers> = (state, { answers, ...command }) =>
  pipe(
    runningStage(state, command),
    E.filterOrElse(
      ({ running }) => {
        const ids = answers.map(({ id }) => id)
        return (
          ids.length === running.asked.length &&
          new Set(ids).size === ids.length &&
          ids.every((id) => running.asked.includes(id) && !Object.hasOwn(running.answers, id))
        )
      },
      () => refusal('answers-incomplete', 'the answers are not those of the probes that were asked'),
    ),
    E.map(({ round }) =>
      answers.map((answer) =>
        ProbeAnswered.of({ round, stage: command.stage, attempt: command.attempt, ...answer }),
      ),
    ),
  )
