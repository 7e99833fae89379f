import { isAbsolute, resolve } from 'node:path'
import type { Checked } from '../commands/job/stage-end.js'
import { findCheck } from '../domain/check.js'
import { type CheckResult, couldNotRun, type FileContent, failed } from '../domain/checks/check.js'
import type { CheckCall, Manifest } from '../domain/manifest.js'
import { fillPlaceholders } from '../domain/placeholders.js'
import { referenceRuleVersion } from '../domain/reference.js'
import type { Places } from './command-line.js'
import { readStageFile } from './read-stage-file.js'
import type { StageSession } from './stage-session.js'
import type { Checkout } from './workspace/workspace.js'

export type CheckContext = {
  readonly manifest: Manifest
  readonly places: Places
  readonly checkout: Checkout
  readonly session: StageSession
  /** The bytes of the decision file that counted when the writer had ended, by what is recorded of it. */
  readonly decisionsUnchanged: (content: FileContent) => boolean
}

/** Runs the checks of a script stage that exited 0, in the manifest's order. */
export const runChecks = async (
  context: CheckContext,
  calls: ReadonlyArray<CheckCall>,
): Promise<ReadonlyArray<Checked>> => {
  const checked: Array<Checked> = []
  for (const call of calls) {
    const { tools, state, workdir } = context.places
    const args = fillPlaceholders(call.args, { agent: null, tools, state })
    const files = await Promise.all(
      args.map((arg) => readStageFile(isAbsolute(arg) ? arg : resolve(workdir, arg))),
    )
    const result = await runCheck(context, call.check, files)
    checked.push({ check: call.check, args, rule: referenceRuleVersion, result })
  }
  return checked
}

const runCheck = async (
  context: CheckContext,
  name: string,
  files: ReadonlyArray<FileContent>,
): Promise<CheckResult> => {
  const check = findCheck(name)
  if (check === null) return couldNotRun(`there is no check ${name}`)
  const tampered = name === 'reference' ? tamperedWith(context, files) : null
  if (tampered !== null) return tampered
  const { touches } = context.manifest
  return check.run({ files, touches, changed: name === 'touches' ? await context.checkout.committed() : [] })
}

/** In a job the answers are events: the file on disk must be what they derive, byte for byte. */
const tamperedWith = (
  { session, decisionsUnchanged }: CheckContext,
  [checkFile, decisionsFile]: ReadonlyArray<FileContent>,
): CheckResult | null => {
  if (session.references === null)
    return couldNotRun('the stage never asked for the reference check, or ended before it was answered')
  if (checkFile === undefined || decisionsFile === undefined) return couldNotRun('a file is not named')
  if (checkFile.tag === 'missing') return couldNotRun('the stage asked, but wrote no file')
  if (checkFile.tag !== 'bytes' || !Buffer.from(session.references).equals(checkFile.bytes)) {
    return failed(['reference-check.json was altered: it is not what the recorded answers derive'])
  }
  return decisionsUnchanged(decisionsFile)
    ? null
    : failed(['decisions.json changed after the writer had ended; only what stood there then counts'])
}
