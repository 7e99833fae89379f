import test from 'ava'
import { countVote, emptyTally } from '../../../domain/comparison/tally.js'
import { voteOn } from '../../../domain/comparison/vote.js'
import type { Dump } from '../../../domain/dump.js'
import type { Engine } from '../../../domain/engine.js'

const page = (engine: Engine, width: number, overflowed = false): Dump => ({
  engine,
  viewport: { width: 800, height: 600 },
  overflowed,
  nodes: [
    {
      index: 0,
      parent: -1,
      tag: 'HTML',
      depth: 0,
      bounding: { x: 0, y: 0, w: width, h: 10 },
      rects: [{ x: 0, y: 0, w: width, h: 10 }],
      style: { width: `${width}px` },
    },
  ],
})

const vote = (chromium: number, firefox: number, webkit: number) =>
  voteOn({
    chromium: page('chromium', chromium),
    firefox: page('firefox', firefox),
    webkit: page('webkit', webkit),
  })

const told = (chromium: number, firefox: number, webkit: number) => {
  const { verdict, reference, outlier } = vote(chromium, firefox, webkit) as ReturnType<typeof vote> & {
    readonly reference: Engine
    readonly outlier: Engine | null
  }
  return [verdict, reference, outlier]
}

test('three that agree are unanimous, and Chromium stands for them', (t) => {
  t.deepEqual(told(10, 10, 10.01), ['unanimous', 'chromium', null])
})

test('two that agree are the reference, and the third is named', (t) => {
  t.deepEqual(told(10, 10, 11), ['majority', 'chromium', 'webkit'])
  t.deepEqual(told(10, 11, 10), ['majority', 'chromium', 'firefox'])
  t.deepEqual(told(11, 10, 10), ['majority', 'firefox', 'chromium'])
})

test('where all three differ the page is split, and Chromium stands by default', (t) => {
  t.deepEqual(told(10, 11, 12), ['split', 'chromium', null])
})

test('agreement is not transitive: who is near both is a majority with nobody outside', (t) => {
  t.deepEqual(told(0, 1 / 60, -1 / 60), ['majority', 'chromium', null])
  t.deepEqual(told(-1 / 60, 0, 1 / 60), ['majority', 'chromium', null])
})

test('a page that scrolls somewhere is discarded, and one that lacks a dump is unchecked', (t) => {
  const chromium = page('chromium', 10)
  const firefox = page('firefox', 10)
  t.deepEqual(voteOn({ chromium, firefox, webkit: page('webkit', 10, true) }), {
    verdict: 'discarded',
    overflowed: ['webkit'],
  })
  t.deepEqual(voteOn({ chromium, firefox: null, webkit: null }), {
    verdict: 'unchecked',
    missing: ['firefox', 'webkit'],
  })
})

test('a corpus is counted by page, pair and kind of field', (t) => {
  const tally = emptyTally()
  for (const one of [vote(10, 10, 10), vote(10, 10, 12), vote(10, 10.5, 11)]) countVote(tally, one)
  countVote(tally, voteOn({ chromium: null, firefox: null, webkit: null }))
  t.deepEqual(tally.pages, { unanimous: 1, majority: 1, split: 1, discarded: 0, unchecked: 1 })
  t.deepEqual(tally.outliers, { webkit: 1 })
  const [chromiumFirefox, chromiumWebkit] = tally.pairs
  t.deepEqual(chromiumFirefox?.pages, { compared: 3, agree: 2 })
  t.is(chromiumFirefox?.farApart, 0)
  t.is(chromiumWebkit?.farApart, 2)
  t.deepEqual(chromiumWebkit?.fields.width, { compared: 3, agree: 1 })
  t.deepEqual(chromiumWebkit?.fields.height, { compared: 3, agree: 3 })
  t.deepEqual(chromiumWebkit?.fields['fragment-size'], { compared: 3, agree: 1 })
  t.deepEqual(chromiumWebkit?.fields['style as numbers'], { compared: 81, agree: 79 })
})
