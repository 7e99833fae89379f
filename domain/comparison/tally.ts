import { isWithin } from '../agreement.js'
import { styleProperties } from '../dump.js'
import type { Comparison } from './comparison.js'
import { type DocumentVote, pairs } from './vote.js'

/** What can agree between two dumps. Styles as text are those that are printed alike; as numbers, those that are near. */
export const fieldKinds = [
  'shape',
  'width',
  'height',
  'fragments',
  'fragment-size',
  'offset',
  'style as text',
  'style as numbers',
] as const
export type FieldKind = (typeof fieldKinds)[number]

export type Count = { compared: number; agree: number }

/** How far a corpus agrees: pages by verdict, and for each pair of engines the pages and the fields of each kind. */
export type Tally = {
  readonly pages: Record<DocumentVote['verdict'], number>
  readonly outliers: Record<string, number>
  /** In the order of `pairs`. */
  readonly pairs: ReadonlyArray<{
    readonly pages: Count
    /** Pages where some box is a pixel or more off. */
    farApart: number
    readonly fields: Readonly<Record<FieldKind, Count>>
  }>
}

export const emptyTally = (): Tally => ({
  pages: { unanimous: 0, majority: 0, split: 0, discarded: 0, unchecked: 0 },
  outliers: {},
  pairs: pairs.map(() => ({
    pages: { compared: 0, agree: 0 },
    farApart: 0,
    fields: Object.fromEntries(fieldKinds.map((kind) => [kind, { compared: 0, agree: 0 }])) as Record<
      FieldKind,
      Count
    >,
  })),
})

/** Counts one page in. */
export const countVote = (tally: Tally, vote: DocumentVote): void => {
  tally.pages[vote.verdict] += 1
  if (vote.verdict === 'discarded' || vote.verdict === 'unchecked') return
  if (vote.outlier !== null) tally.outliers[vote.outlier] = (tally.outliers[vote.outlier] ?? 0) + 1
  for (const [place, { comparison }] of vote.pairs.entries()) {
    const counts = tally.pairs[place]
    if (counts === undefined) continue
    count(counts.pages, comparison.verdict === 'same')
    if (isFarApart(comparison)) counts.farApart += 1
    countFields(counts.fields, comparison)
  }
}

const count = (counts: Count, agrees: boolean): void => {
  counts.compared += 1
  if (agrees) counts.agree += 1
}

const isFarApart = (comparison: Comparison): boolean =>
  'wrong' in comparison &&
  comparison.wrong.some(({ rule, delta }) => rule === 'fragments' || Math.abs(delta) >= 1)

const countFields = (fields: Readonly<Record<FieldKind, Count>>, comparison: Comparison): void => {
  if (comparison.verdict === 'discarded') return
  count(fields.shape, comparison.verdict !== 'other-shape')
  if (comparison.verdict === 'other-shape') return
  for (const { w, h, x, y, fragments, fragmentCount } of comparison.deltas) {
    count(fields.width, isWithin(w))
    count(fields.height, isWithin(h))
    count(fields.offset, isWithin(x) && isWithin(y))
    count(fields.fragments, fragmentCount === 0)
    for (const fragment of fragments)
      count(fields['fragment-size'], isWithin(fragment.w) && isWithin(fragment.h))
  }
  const values = comparison.deltas.length * styleProperties.length
  const { differences } = comparison.style
  const apart = differences.filter(({ agrees }) => !agrees).length
  add(fields['style as text'], values, values - differences.length)
  add(fields['style as numbers'], values, values - apart)
}

const add = (counts: Count, compared: number, agree: number): void => {
  counts.compared += compared
  counts.agree += agree
}
