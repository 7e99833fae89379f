import type { Dump } from '../dump.js'
import { type Engine, engines } from '../engine.js'
import { compareDumps } from './compare-dumps.js'
import type { Comparison } from './comparison.js'

/** The three pairs, in the order in which every table names them. */
export const pairs = [
  ['chromium', 'firefox'],
  ['chromium', 'webkit'],
  ['firefox', 'webkit'],
] as const satisfies ReadonlyArray<readonly [Engine, Engine]>

export type PairComparison = { readonly pair: readonly [Engine, Engine]; readonly comparison: Comparison }

/**
 * What three browsers say of a whole page. The reference is the dump of a browser, never a mixture: Chromium's when it
 * agrees with either other one, else Firefox's when that agrees with WebKit, else Chromium's. Source: the reference
 * check, point 5, for whole documents.
 */
export type DocumentVote =
  | {
      /** `majority` where two agree; `unanimous` where every pair does; `split` where none does. */
      readonly verdict: 'unanimous' | 'majority' | 'split'
      readonly reference: Engine
      /**
       * The one that agrees with neither of the others, which agree. Null also where agreement is not transitive: two
       * that differ, and a third that is near both.
       */
      readonly outlier: Engine | null
      readonly pairs: ReadonlyArray<PairComparison>
    }
  | { readonly verdict: 'discarded'; readonly overflowed: ReadonlyArray<Engine> }
  | { readonly verdict: 'unchecked'; readonly missing: ReadonlyArray<Engine> }

export type Dumps = Readonly<Record<Engine, Dump | null>>

export const voteOn = (dumps: Dumps): DocumentVote => {
  const { chromium, firefox, webkit } = dumps
  if (chromium === null || firefox === null || webkit === null) {
    return { verdict: 'unchecked', missing: enginesOf(dumps, (dump) => dump === null) }
  }
  const overflowed = enginesOf(dumps, (dump) => dump?.overflowed === true)
  if (overflowed.length > 0) return { verdict: 'discarded', overflowed }
  const whole = { chromium, firefox, webkit }
  const compared = pairs.map((pair) => ({ pair, comparison: compareDumps(whole[pair[0]], whole[pair[1]]) }))
  const [chromiumFirefox, chromiumWebkit, firefoxWebkit] = compared.map(
    ({ comparison }) => comparison.verdict === 'same',
  )
  const agreeing = compared.filter(({ comparison }) => comparison.verdict === 'same')
  const reference = !chromiumFirefox && !chromiumWebkit && firefoxWebkit ? 'firefox' : 'chromium'
  const verdict = agreeing.length === 3 ? 'unanimous' : agreeing.length === 0 ? 'split' : 'majority'
  const [only, ...more] = agreeing
  const outlier = only === undefined || more.length > 0 ? null : outsideOf(only.pair)
  return { verdict, reference, outlier, pairs: compared }
}

const enginesOf = (dumps: Dumps, which: (dump: Dump | null) => boolean): ReadonlyArray<Engine> =>
  engines.filter((engine) => which(dumps[engine]))

const outsideOf = (pair: readonly [Engine, Engine]): Engine | null =>
  engines.find((engine) => !pair.includes(engine)) ?? null
