import type { Recorded } from '../events/recorded.js'
import type { Ending } from '../events/values/ending.js'
import { count, duration } from './text.js'

/** What an event says, in one line for a person; text from outside is cut to its first line. */
export const tell = (event: Recorded): string => sentence(event).replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')

const sentence = (event: Recorded): string => {
  switch (event.type) {
    case 'JobSubmitted':
      return `job ${event.data.name} submitted: ${count(event.data.manifest.stages.length, 'stage')} in ${event.data.workdir}`
    case 'JobImported':
      return `job ${event.data.summary.name} imported from ledger ${event.data.ledger}, as of its position ${event.data.position}`
    case 'JobClaimed':
      return `claimed by process ${event.data.pid} on ${event.data.host} (epoch ${event.data.epoch})`
    case 'RunnerLost':
      return `its runner was lost: ${event.data.how}`
    case 'RunnerReleased':
      return `its runner let go: ${event.data.why}`
    case 'JobWaiting':
      return `waits for a person: ${firstLine(event.data.message)}`
    case 'JobAccepted':
      return `accepted in round ${event.data.round} on tree ${event.data.workspace.tree.slice(0, 12)}`
    case 'JobStopped':
      return `stopped: stage ${event.data.stage} failed, and the manifest does not send it back`
    case 'RoundStarted':
      return event.data.findings.length === 0
        ? `round ${event.data.round} starts`
        : `round ${event.data.round} starts from ${event.data.from} with ${count(event.data.findings.length, 'finding')}`
    case 'RoundFailed':
      return `round ${event.data.round} failed at ${event.data.stage}: ${findings(event.data.findings)}`
    case 'RoundPassed':
      return `round ${event.data.round} passed`
    case 'StageStarted':
      return `${event.data.stage} runs${again(event.data.attempt)}: ${firstLine(event.data.command.join(' '))}`
    case 'StageEnded':
      return `${event.data.stage} ${event.data.outcome} after ${duration(event.data.durationMs)} (${ending(event.data.ending)})`
    case 'StageFaulted':
      return `${event.data.stage} could not do its work, which is not the writer's fault: ${firstLine(event.data.message)}`
    case 'WriterRelaunched':
      return `${event.data.stage} is started again: ${firstLine(event.data.why)}`
    case 'DecisionRecorded':
      return `decision ${event.data.decision.id}: ${firstLine(event.data.decision.choice)}`
    case 'DecisionRevised':
      return `decision ${event.data.decision.id} revised (${event.data.changed.join(', ')}): ${firstLine(event.data.decision.choice)}`
    case 'DecisionWithdrawn':
      return `decision ${event.data.id} withdrawn`
    case 'DecisionsRefused':
      return `decisions.json refused: ${firstLine(event.data.reasons.join('; '))}`
    case 'ProbeTried':
      return 'the writer tried a probe on the browsers'
    case 'ReferencesAsked':
      return event.data.notAsked.length === 0
        ? 'the reference check was asked for'
        : `the reference check was asked for, but not for ${event.data.notAsked.map(({ id }) => id).join(', ')}`
    case 'ProbeAsked':
      return `the browsers are asked about ${event.data.id}`
    case 'ProbeAnswered':
      return `the browsers answered about ${event.data.id}: ${answered(event.data.answers.engines)}`
    case 'CheckPassed':
      return `check ${event.data.check} passed${event.data.notes.length === 0 ? '' : ` with ${count(event.data.notes.length, 'note')}`}`
    case 'CheckFailed':
      return `check ${event.data.check} failed: ${firstLine(event.data.messages.join('; '))}`
    case 'CheckCouldNotRun':
      return `check ${event.data.check} could not run: ${firstLine(event.data.why)}`
    case 'ReviewPassed':
      return event.data.notes === ''
        ? 'the review passed'
        : `the review passed: ${firstLine(event.data.notes)}`
    case 'ReviewFound':
      return `the review found: ${firstLine(event.data.findings.join('; '))}`
    case 'WorkdirClaimed':
      return `job ${event.data.job} works in ${event.data.workdir}`
    case 'WorkdirReleased':
      return `job ${event.data.job} has left ${event.data.workdir}`
    case 'CommandRefused':
      return `${event.data.command} on ${event.data.stream} refused (${event.data.refusal}): ${firstLine(event.data.message)}`
  }
}

const firstLine = (text: string): string => {
  const line = text.split(/[\r\n]/, 1)[0] ?? ''
  return line.length > 160 ? `${line.slice(0, 157)}...` : line
}

const again = (attempt: number): string => (attempt === 1 ? '' : ` again (attempt ${attempt})`)

const findings = (found: ReadonlyArray<{ readonly id: string; readonly text: string }>): string => {
  const [first, ...others] = found
  if (first === undefined) return 'no finding'
  const more = others.length === 0 ? '' : `, and ${count(others.length, 'more', 'more')}`
  return `${first.id} ${firstLine(first.text)}${more}`
}

const ending = ({ cause, code, signal }: Ending): string =>
  cause === 'exited' ? (signal ?? `exit ${code}`) : cause.replaceAll('-', ' ')

const answered = (engines: Readonly<Record<string, { readonly error: string | null }>>): string => {
  const failed = Object.entries(engines).filter(([, { error }]) => error !== null)
  return failed.length === 0 ? 'all three' : `not ${failed.map(([engine]) => engine).join(', ')}`
}
