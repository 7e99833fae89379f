import { checkDecisions } from '../domain/check-decisions.js'
import type { ReferenceRule } from '../domain/reference.js'
import type { ReferenceCheck } from '../domain/reference-check.js'
import { renderReferenceCheck } from '../domain/render-reference-check.js'
import type { JobView, References, RoundView } from './job/view.js'

/** What a round's newest asking derives: the content of its reference-check file. */
export const referenceCheckOf = ({ decisions, answers }: References, rule?: ReferenceRule): ReferenceCheck =>
  checkDecisions(decisions, new Map(Object.entries(answers).map(([id, given]) => [id, given.answers])), rule)

/** The bytes of `reference-check.json` after the newest round that asked; `null` when none did. */
export const referenceFile = (view: JobView): string | null => {
  const round = newestAsked(view)
  return round?.references == null ? null : renderReferenceCheck(referenceCheckOf(round.references))
}

/** The newest round whose browsers were asked. */
export const newestAsked = (view: JobView): RoundView | undefined =>
  view.rounds.findLast(({ references }) => references !== null)
