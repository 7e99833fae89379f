import * as t from 'io-ts'

/**
 * What a failed stage, check or review hands to the next round. `id` is `F1`, `F2` … in the order in
 * which the job met them; `source` says who found it: `stage`, `check`, `review`, `workspace` or `decisions`.
 */
export const FindingValue = t.strict(
  {
    id: t.string,
    source: t.keyof({ stage: null, check: null, review: null, workspace: null, decisions: null }),
    text: t.string,
  },
  'Finding',
)
