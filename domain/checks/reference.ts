import * as E from 'fp-ts/lib/Either.js'
import { isObject } from '../codecs.js'
import { type Decisions, readDecisions } from '../decision.js'
import { describe, renderViolation, type Violation } from '../decode.js'
import { decodeReferenceCheck } from '../decode-reference-check.js'
import { caveatsIn, nameOf, show } from '../detail.js'
import { engines } from '../engine.js'
import { readJson } from '../json.js'
import type { CheckedDecision, CheckedField, ReferenceCheck } from '../reference-check.js'
import { type Check, type CheckResult, couldNotRun, type FileContent, failed, passed } from './check.js'

/**
 * `reference <reference-check.json> <decisions.json>`: fails with one message for each decision that
 * the browsers contradict or that the first file leaves out, and for each reason why the second is
 * malformed. A pass notes what a reviewer has to weigh: unchecked decisions, references that stand by
 * `chromium-default`, and pages that make an answer doubtful.
 *
 * Cannot run when the first file is missing, is no JSON, or is not `format` 1. Source: the reference
 * check, point 7.
 */
export const reference: Check = {
  name: 'reference',
  parameters: ['<reference-check.json>', '<decisions.json>'],
  run: ({ files: [checkFile, decisionsFile] }) => {
    const check = readCheckFile(checkFile ?? { tag: 'missing' })
    if (E.isLeft(check)) return couldNotRun(check.left)
    const decisions = readDecisionsFile(decisionsFile ?? { tag: 'missing' })
    return E.isLeft(decisions) ? failed(decisions.left) : judge(check.right, decisions.right)
  },
}

const judge = (check: ReferenceCheck, decisions: Decisions): CheckResult => {
  const questions = new Map(decisions.map(({ id, question }) => [id, question]))
  const title = (id: string): string => {
    const question = questions.get(id)
    return question === undefined ? `decision ${id}` : `decision ${id} (${question})`
  }
  const checked = new Set(check.decisions.map(({ id }) => id))
  const messages = [
    ...check.decisions
      .filter(({ outcome }) => outcome === 'disagrees')
      .map(({ id, detail }) => `${title(id)} disagrees with the browsers:\n${detail}`),
    ...decisions
      .filter(({ id }) => !checked.has(id))
      .map(({ id }) => `${title(id)} is missing from the reference check`),
  ]
  if (messages.length > 0) return failed(messages)
  return passed(check.decisions.flatMap((decision) => notesOn(decision, title(decision.id))))
}

const notesOn = ({ outcome, detail, fields }: CheckedDecision, title: string): ReadonlyArray<string> => [
  ...(outcome === 'unchecked'
    ? [`${title} is unchecked:\n${detail}`]
    : caveatsIn(detail).map((line) => `${title} agrees, with a ${line}`)),
  ...fields
    .filter(({ rule }) => rule === 'chromium-default')
    .map((field) => `${title} leans on chromium-default: ${defaultLine(field)}`),
]

const defaultLine = (field: CheckedField): string => {
  const reported = engines.map((engine) => `${engine} ${show(field.reported[engine])}`).join(', ')
  return `${nameOf(field)}: ${reported}, reference ${show(field.reference)}`
}

const readCheckFile = (file: FileContent): E.Either<string, ReferenceCheck> => {
  if (file.tag === 'missing') return E.left('the reference check file is missing')
  if (file.tag === 'unreadable') return E.left(`the reference check file cannot be read: ${file.why}`)
  const json = readJson(file.bytes, 64)
  if (E.isLeft(json)) return E.left(`the reference check file is not JSON: ${all(json.left)}`)
  if (!isObject(json.right) || json.right.format !== 1) {
    const got = isObject(json.right) ? describe(json.right.format) : describe(json.right)
    return E.left(`the reference check file is not of format 1, but ${got}`)
  }
  const check = decodeReferenceCheck(json.right)
  return E.isLeft(check) ? E.left(`the reference check file is malformed: ${all(check.left)}`) : check
}

const readDecisionsFile = (file: FileContent): E.Either<ReadonlyArray<string>, Decisions> => {
  if (file.tag === 'unreadable') return E.left([`decisions.json cannot be read: ${file.why}`])
  const decisions = readDecisions(file.tag === 'missing' ? null : file.bytes)
  return E.isLeft(decisions)
    ? E.left(decisions.left.map((violation) => `decisions.json is malformed: ${renderViolation(violation)}`))
    : decisions
}

const all = (violations: ReadonlyArray<Violation>): string => violations.map(renderViolation).join('; ')
