import type { Comparison } from '../../domain/comparison/comparison.js'
import { nodePath } from '../../domain/comparison/node-path.js'
import { type Count, fieldKinds, type Tally } from '../../domain/comparison/tally.js'
import { type DocumentVote, type Dumps, pairs } from '../../domain/comparison/vote.js'
import { count } from '../../projections/text.js'
import { colour, safe, table } from '../output.js'

export type PageVote = { readonly id: string; readonly vote: DocumentVote }

/** A vote on one page for a person: what it came to, and where each pair first differs. */
export const renderVote = (vote: DocumentVote, dumps: Dumps): string => {
  if (!('pairs' in vote)) return tellVote(vote)
  const lines = vote.pairs.map(({ pair: [one, two], comparison }) => {
    const nodes = dumps[one]?.nodes ?? []
    return `${`${one} and ${two}`.padEnd(20)}  ${safe(tellPair(comparison, (index) => nodePath(nodes, index)))}`
  })
  return [tellVote(vote), ...lines].join('\n')
}

const tellVote = (vote: DocumentVote): string => {
  switch (vote.verdict) {
    case 'unanimous':
      return colour.green('unanimous: all three agree')
    case 'majority':
      return vote.outlier === null
        ? `majority: ${vote.reference} agrees with both others, which differ`
        : `majority: ${vote.outlier} is the outlier, and ${vote.reference} the reference`
    case 'split':
      return colour.red(`split: all three differ, and ${vote.reference} stands by default`)
    case 'discarded':
      return `discarded: the page scrolls in ${vote.overflowed.join(', ')}`
    case 'unchecked':
      return `unchecked: no dump of ${vote.missing.join(', ')}`
  }
}

const tellPair = (comparison: Comparison, pathOf: (index: number) => string): string => {
  switch (comparison.verdict) {
    case 'discarded':
      return 'discarded'
    case 'other-shape':
      return `another tree at node ${comparison.divergence.index}`
    case 'same':
      return 'agree'
    case 'differs': {
      const [first] = comparison.wrong
      const where = first === undefined ? '' : `: ${pathOf(first.index)}, ${first.rule}, ${first.delta}`
      return `${count(comparison.wrong.length, 'wrong box')}${where}`
    }
  }
}

/** How far a corpus agrees for a person: pages, then a table a pair of engines and kind of field. */
export const renderTally = (tally: Tally, pages: ReadonlyArray<PageVote>): string => {
  const { unanimous, majority, split, discarded, unchecked } = tally.pages
  const all = unanimous + majority + split + discarded + unchecked
  const outliers = Object.entries(tally.outliers).map(([engine, times]) => `${engine} ${times}`)
  const names = pairs.map(([one, two]) => `${one}, ${two}`)
  const rows = [
    ['pages', ...tally.pairs.map((pair) => share(pair.pages))],
    ['pages a pixel or more apart', ...tally.pairs.map(({ farApart }) => String(farApart))],
    ...fieldKinds.map((kind) => [kind, ...tally.pairs.map(({ fields }) => share(fields[kind]))]),
  ]
  return [
    `${count(all, 'page')}: ${unanimous} unanimous, ${majority} by majority, ${split} split, ${discarded} discarded, ${unchecked} unchecked`,
    ...(outliers.length === 0 ? [] : [`outliers: ${outliers.join(', ')}`]),
    '',
    table(
      ['agreeing', ...names, ''],
      rows.map((row) => [...row, '']),
    ),
    ...(pages.length === 0
      ? []
      : ['', ...pages.slice(0, mostTold).map(({ id, vote }) => `${safe(id)}: ${tellVote(vote)}`)]),
    ...(pages.length > mostTold ? [`and ${pages.length - mostTold} more: --json lists them all`] : []),
  ].join('\n')
}

const mostTold = 20

const share = ({ compared, agree }: Count): string =>
  compared === 0 ? '' : `${agree} of ${compared} (${((100 * agree) / compared).toFixed(2)} %)`
