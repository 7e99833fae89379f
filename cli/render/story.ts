import type { Recorded } from '../../events/recorded.js'
import { tell } from '../../projections/story.js'
import { safe } from '../output.js'

/** One line of a job's story: position, time of day, and what happened; what belongs to a stage is indented. */
export const renderEvent = (event: Recorded, dim: (text: string) => string): string => {
  const time = event.at.slice(11, 19)
  const place = `${String(event.position).padStart(5)}  ${time}`
  return `${dim(place)}  ${inStage.has(event.type) ? '  ' : ''}${safe(tell(event))}`
}

const inStage: ReadonlySet<string> = new Set([
  'StageStarted',
  'StageEnded',
  'StageFaulted',
  'WriterRelaunched',
  'DecisionRecorded',
  'DecisionRevised',
  'DecisionWithdrawn',
  'DecisionsRefused',
  'ProbeTried',
  'ReferencesAsked',
  'ProbeAsked',
  'ProbeAnswered',
  'CheckPassed',
  'CheckFailed',
  'CheckCouldNotRun',
  'ReviewPassed',
  'ReviewFound',
])
