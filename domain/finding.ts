/** Who found it; a finding of the workspace names files that changed when they should not have. */
export type FindingSource = 'stage' | 'check' | 'review' | 'workspace' | 'decisions'

/** What a failed stage, check or review hands to the next round; ids are `F1`, `F2` … within a job. */
export type Finding = { readonly id: string; readonly source: FindingSource; readonly text: string }

/** A finding before the job has given it its id. */
export type NewFinding = Omit<Finding, 'id'>

/** Numbers findings on from those that the job has met already. */
export const numberFindings = (met: number, found: ReadonlyArray<NewFinding>): ReadonlyArray<Finding> =>
  found.map((finding, index) => ({ id: `F${met + index + 1}`, ...finding }))
