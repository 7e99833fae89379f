import type { NewFinding } from '../../domain/finding.js'
import type { ScriptStage } from '../../domain/manifest.js'
import { CheckCouldNotRun } from '../../events/check-could-not-run.js'
import { CheckFailed } from '../../events/check-failed.js'
import { CheckPassed } from '../../events/check-passed.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { describeEnding, endedWell } from './describe-ending.js'
import { changedFiles, movedOn } from './moved-on.js'
import type { Attempt, Checked, EndStage, Judgement } from './stage-end.js'
import type { Job } from './state.js'
import { fault, turnDown } from './turn-down.js'

/** A script passes when it exits 0, leaves the writer's files alone, and each of its checks passes. */
export const judgeScript = (job: Job, attempt: Attempt, stage: ScriptStage, command: EndStage): Judgement => {
  if (command.fault !== null) return { outcome: 'faulted', events: fault(job, attempt, command.fault) }
  const sendsBack = stage.on_fail === 'rework'
  const failed = (events: ReadonlyArray<DocketEvent>, findings: ReadonlyArray<NewFinding>): Judgement => ({
    outcome: 'failed',
    events: [...events, ...turnDown(job, attempt, sendsBack, findings)],
  })
  if (!endedWell(command.ending)) {
    const text = `Stage ${stage.name} failed (${describeEnding(command.ending)}).\n${command.lastWords}`
    return failed([], [{ source: 'stage', text: text.trimEnd() }])
  }
  if (movedOn(job, command.workspace)) {
    return failed([], [changedFiles(`during stage ${stage.name}`, command.changed)])
  }
  const events = command.checks.map((checked) => checkEvent(attempt, checked))
  const [unable] = command.checks.flatMap(({ check, result }) =>
    result.tag === 'could-not-run' ? [`check ${check} could not run: ${result.why}`] : [],
  )
  if (unable !== undefined) return { outcome: 'faulted', events: [...events, ...fault(job, attempt, unable)] }
  const findings = command.checks.flatMap(
    ({ result }): ReadonlyArray<NewFinding> =>
      result.tag === 'failed' ? result.messages.map((text) => ({ source: 'check', text })) : [],
  )
  return findings.length > 0 ? failed(events, findings) : { outcome: 'passed', events }
}

const checkEvent = (attempt: Attempt, { check, args, rule, result }: Checked): DocketEvent => {
  const called = { ...attempt, check, args, rule }
  switch (result.tag) {
    case 'passed':
      return CheckPassed.of({ ...called, notes: result.notes })
    case 'failed':
      return CheckFailed.of({ ...called, messages: result.messages })
    case 'could-not-run':
      return CheckCouldNotRun.of({ ...called, why: result.why })
  }
}
