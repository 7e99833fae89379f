import type * as t from 'io-ts'
import { CheckCouldNotRun } from './check-could-not-run.js'
import { CheckFailed } from './check-failed.js'
import { CheckPassed } from './check-passed.js'
import { CommandRefused } from './command-refused.js'
import { DecisionRecorded } from './decision-recorded.js'
import { DecisionRevised } from './decision-revised.js'
import { DecisionWithdrawn } from './decision-withdrawn.js'
import { DecisionsRefused } from './decisions-refused.js'
import type { EventOf } from './define-event.js'
import { JobAccepted } from './job-accepted.js'
import { JobClaimed } from './job-claimed.js'
import { JobImported } from './job-imported.js'
import { JobStopped } from './job-stopped.js'
import { JobSubmitted } from './job-submitted.js'
import { JobWaiting } from './job-waiting.js'
import { ProbeAnswered } from './probe-answered.js'
import { ProbeAsked } from './probe-asked.js'
import { ProbeTried } from './probe-tried.js'
import { ReferencesAsked } from './references-asked.js'
import { ReviewFound } from './review-found.js'
import { ReviewPassed } from './review-passed.js'
import { RoundFailed } from './round-failed.js'
import { RoundPassed } from './round-passed.js'
import { RoundStarted } from './round-started.js'
import { RunnerLost } from './runner-lost.js'
import { RunnerReleased } from './runner-released.js'
import { StageEnded } from './stage-ended.js'
import { StageFaulted } from './stage-faulted.js'
import { StageStarted } from './stage-started.js'
import { WorkdirClaimed } from './workdir-claimed.js'
import { WorkdirReleased } from './workdir-released.js'
import { WriterRelaunched } from './writer-relaunched.js'

/** Every event that Docket appends, in the order of a job's life. */
export const eventDefinitions = {
  JobSubmitted,
  JobClaimed,
  RunnerLost,
  RunnerReleased,
  JobWaiting,
  JobAccepted,
  JobStopped,
  RoundStarted,
  RoundFailed,
  RoundPassed,
  StageStarted,
  StageEnded,
  StageFaulted,
  WriterRelaunched,
  DecisionRecorded,
  DecisionRevised,
  DecisionWithdrawn,
  DecisionsRefused,
  ProbeTried,
  ReferencesAsked,
  ProbeAsked,
  ProbeAnswered,
  CheckPassed,
  CheckFailed,
  CheckCouldNotRun,
  ReviewPassed,
  ReviewFound,
  WorkdirClaimed,
  WorkdirReleased,
  JobImported,
  CommandRefused,
} as const

type Definitions = typeof eventDefinitions
export type DocketEventType = keyof Definitions

/** The data of one type of event. */
export type DataOf<Type extends DocketEventType> = t.TypeOf<Definitions[Type]['data']>

/** The union: a `switch` on `type` narrows `data`. */
export type DocketEvent = { [Type in DocketEventType]: EventOf<Type, DataOf<Type>> }[DocketEventType]
