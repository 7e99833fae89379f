import { remainingMs } from '../domain/budget.js'
import type { ReferenceCheck } from '../domain/reference-check.js'
import type { JobView } from './job/view.js'
import { newestAsked, referenceCheckOf } from './reference-file.js'
import { type JobSummary, summarise } from './summary.js'

/** A job as programs read it: the row of a list first, then everything that is folded from its events. */
export type ShowDocument = Omit<JobView, keyof JobSummary> &
  Omit<JobSummary, 'rounds'> & {
    readonly rounds: JobView['rounds']
    readonly budget: {
      readonly failedRounds: { readonly spent: number; readonly allowed: number }
      readonly writerRelaunches: { readonly spent: number; readonly allowed: number }
      readonly faultReruns: { readonly spent: number; readonly allowed: number }
      readonly runningMs: { readonly spent: number; readonly left: number }
    }
    /** What the newest asking of the browsers derives; `null` before the first. */
    readonly referenceCheck: ReferenceCheck | null
  }

/** @param importedFrom The ledger of a job that was imported. */
export const showDocument = (view: JobView, importedFrom: string | null = null): ShowDocument => {
  const { limits } = view.manifest
  const { spent, granted } = view
  const references = newestAsked(view)?.references ?? null
  return {
    ...summarise(view),
    ...view,
    importedFrom,
    budget: {
      failedRounds: { spent: spent.failedRounds, allowed: limits.failed_rounds + granted.rounds },
      writerRelaunches: { spent: spent.writerRelaunches, allowed: limits.writer_relaunches },
      faultReruns: { spent: spent.faults, allowed: limits.fault_reruns },
      runningMs: { spent: spent.runningMs, left: remainingMs(limits, granted, spent.runningMs) },
    },
    referenceCheck: references === null ? null : referenceCheckOf(references),
  }
}
