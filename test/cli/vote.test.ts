import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { docketOn } from '../support/docket.js'

const dump = (engine: string, w: number, overflowed = false) => {
  const box = { x: 0, y: 0, w, h: 10 }
  const node = { index: 0, parent: -1, tag: 'HTML', depth: 0, bounding: box, rects: [box], style: {} }
  return { engine, viewport: { width: 800, height: 600 }, overflowed, nodes: [node] }
}

const answer = (id: string, [chromium, firefox, webkit]: readonly [number, number, number]) => ({
  id,
  dumps: {
    chromium: dump('chromium', chromium),
    firefox: dump('firefox', firefox),
    webkit: dump('webkit', webkit),
  },
})

test('a vote on one page and on a corpus, from dumps and from answers', async (t) => {
  const docket = await docketOn(t)
  const folder = mkdtempSync(join(tmpdir(), 'docket-vote-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, ...lines: ReadonlyArray<unknown>): string => {
    const path = join(folder, name)
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return path
  }
  const [c, f, w] = [
    write('c', dump('chromium', 10)),
    write('f', dump('firefox', 10)),
    write('w', dump('webkit', 12)),
  ]
  const split = write('split', answer('a', [1, 2, 3]))
  const scrolls = write('scrolls', {
    id: 'a',
    dumps: { ...answer('a', [1, 1, 1]).dumps, webkit: dump('webkit', 1, true) },
  })
  const corpus = write(
    'corpus',
    answer('one', [1, 1, 1]),
    answer('two', [1, 1, 3]),
    answer('three', [1, 2, 3]),
  )
  const cases: ReadonlyArray<readonly [number, RegExp, ReadonlyArray<string>]> = [
    [
      0,
      /^majority: webkit is the outlier, and chromium the reference\n[\s\S]*firefox and webkit +1 wrong box: HTML, width, 2$/m,
      [f, c, w],
    ],
    [1, /^split: all three differ/, [split]],
    [3, /^discarded: the page scrolls in webkit/, [scrolls]],
    [
      0,
      /^3 pages: 1 unanimous, 1 by majority, 1 split, 0 discarded, 0 unchecked\noutliers: webkit 1\n[\s\S]*^two: majority/m,
      ['--answers', corpus],
    ],
  ]
  for (const [code, told, args] of cases) {
    const ended = await docket.run('vote', ...args)
    t.is(ended.code, code, ended.stderr)
    t.regex(ended.stdout, told)
    t.is(typeof JSON.parse((await docket.run('vote', ...args, '--json')).stdout), 'object')
  }
  const bad: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
    [/one dump of each of three engines, and these are of chromium, chromium, webkit/, [c, c, w]],
    [/one dump of each of three engines/, [c, f]],
    [/it is no answer of an oracle/, [c]],
    [/cannot be read/, ['--answers', join(folder, 'nowhere')]],
    [/there is no answer of an oracle in/, ['--answers', write('none')]],
    [/corpus-2, line 2: it is no answer/, ['--answers', write('corpus-2', answer('one', [1, 1, 1]), 7)]],
  ]
  for (const [told, args] of bad) {
    const ended = await docket.run('vote', ...args)
    t.is(ended.code, 2, args.join(' '))
    t.regex(ended.stderr, told)
  }
})
