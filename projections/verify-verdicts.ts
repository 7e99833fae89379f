import { reference } from '../domain/checks/reference.js'
import { referenceRuleOf } from '../domain/reference.js'
import { renderReferenceCheck } from '../domain/render-reference-check.js'
import type { Difference } from '../events/chain.js'
import type { Recorded } from '../events/recorded.js'
import { evolveView } from './job/fold.js'
import type { JobView } from './job/view.js'
import { referenceCheckOf } from './reference-file.js'

export type VerdictsAgain = { readonly take: (event: Recorded) => ReadonlyArray<Difference> }

/** Decides every recorded verdict of a reference check again, by the version of the rule that it names. */
export const verdictsAgain = (): VerdictsAgain => {
  const views = new Map<string, JobView | null>()
  return {
    take: (event) => {
      const view = evolveView(views.get(event.stream) ?? null, event)
      views.set(event.stream, view)
      if (view === null || (event.type !== 'CheckPassed' && event.type !== 'CheckFailed')) return []
      if (event.data.check !== 'reference') return []
      const what = verdictDiffers(view, event)
      return what === null ? [] : [{ position: event.position, what }]
    },
  }
}

type Verdict = Extract<Recorded, { readonly type: 'CheckPassed' | 'CheckFailed' }>

const verdictDiffers = (view: JobView, event: Verdict): string | null => {
  const rule = referenceRuleOf(event.data.rule)
  if (rule === null) return `version ${event.data.rule} of the reference rule is not known here`
  const references = view.rounds.at(-1)?.references ?? null
  if (references === null) return 'a verdict without answers'
  const file = renderReferenceCheck(referenceCheckOf(references, rule))
  const decided = reference.run({
    files: [bytesOf(file), bytesOf(JSON.stringify(references.decisions))],
    touches: [],
    changed: [],
  })
  const now = decided.tag === 'passed' ? 'CheckPassed' : 'CheckFailed'
  // A file that was altered on disk fails whatever its answers derive.
  return now === event.type || event.type === 'CheckFailed' ? null : 'the answers derive another verdict'
}

const bytesOf = (text: string) => ({ tag: 'bytes', bytes: Buffer.from(text, 'utf8') }) as const
