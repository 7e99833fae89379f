import type { NewFinding } from '../../domain/finding.js'
import type { ScriptStage } from '../../domain/manifest.js'
import { CheckCouldNotRun } from '../../events/check-could-not-run.js'
import { CheckFailed } from '../../events/check-failed.js'
import { CheckPassed } from '../../events/check-passed.js'
import type { DocketEvent } from '../../events/docket-event.js'
import { describeEnding, endedWell } from './describe-ending.js'
import { changedFiles, movedOn } from './moved-on.js'
import type { Attempt, CheckResult, EndStage, Judgement } from './stage-end.js'
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
  const checked = command.checks.map((check) => checkEvent(attempt, check))
  const unable = command.checks.find((check) => check.result === 'could-not-run')
  if (unable?.result === 'could-not-run') {
    const message = `check ${unable.check} could not run: ${unable.why}`
    return { outcome: 'faulted', events: [...checked, ...fault(job, attempt, message)] }
  }
  const findings = command.checks.flatMap(
    (check): ReadonlyArray<NewFinding> =>
      check.result === 'failed' ? check.messages.map((text) => ({ source: 'check', text })) : [],
  )
  return findings.length > 0 ? failed(checked, findings) : { outcome: 'passed', events: checked }
}

const checkEvent = (attempt: Attempt, check: CheckResult): DocketEvent => {
  const { check: name, args, rule } = check
  const head = { ...attempt, check: name, args, rule }
  switch (check.result) {
    case 'passed':
      return CheckPassed.of({ ...head, notes: check.notes })
    case 'failed':
      return CheckFailed.of({ ...head, messages: check.messages })
    case 'could-not-run':
      return CheckCouldNotRun.of({ ...head, why: check.why })
  }
}
