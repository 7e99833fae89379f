import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { docketOn } from '../support/docket.js'

const dump = (engine: string, width: number, more: object = {}) => ({
  engine,
  viewport: { width: 800, height: 600 },
  overflowed: false,
  nodes: ['HTML', 'BODY', 'DIV'].map((tag, index) => {
    const box = { x: 0, y: 0, w: index === 2 ? width : 800, h: 10 }
    return {
      index,
      parent: index - 1,
      tag,
      depth: index,
      bounding: box,
      rects: [box],
      style: { width: `${box.w}px` },
    }
  }),
  ...more,
})

test('two dumps are compared from files and answers, for people and for programs', async (t) => {
  const docket = await docketOn(t)
  const folder = mkdtempSync(join(tmpdir(), 'docket-compare-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const chromium = write('chromium.json', dump('chromium', 32.65625))
  const near = write('near.json', dump('firefox', 32.66667))
  const far = write('far.json', dump('firefox', 33))
  const answer = write('answer', {
    id: 'a',
    dumps: { firefox: dump('firefox', 33), webkit: dump('webkit', 32.65625) },
  })
  const scrolls = write('scrolls', dump('webkit', 1, { overflowed: true }))
  const shorter = write('shorter', { ...dump('webkit', 1), nodes: dump('webkit', 1).nodes.slice(0, 2) })
  const cases: ReadonlyArray<readonly [number, RegExp, ReadonlyArray<string>]> = [
    [
      0,
      /^the same within 1\/60 px, in 3 nodes\ncomputed styles: 1 length printed in two ways$/m,
      [chromium, near],
    ],
    [1, /^1 wrong box of 3 nodes\nHTML > BODY > DIV: width 32.65625 and 33 \(\+0.34375\)$/m, [chromium, far]],
    [1, /width 33 and 32.65625 \(-0.34375\)/, [`${answer}:firefox`, `${answer}:webkit`]],
    [3, /^discarded: the page scrolls in webkit/, [chromium, scrolls]],
    [
      1,
      /^another tree: node 2 is HTML > BODY > DIV at depth 2 in the first, and nothing in the second/,
      [chromium, shorter],
    ],
  ]
  for (const [code, told, args] of cases) {
    const ended = await docket.run('compare', ...args)
    t.is(ended.code, code, ended.stderr)
    t.regex(ended.stdout, told)
    t.is(typeof JSON.parse((await docket.run('compare', ...args, '--json')).stdout), 'object')
  }
  const bad: ReadonlyArray<readonly [RegExp, string]> = [
    [/holds 2 dumps: name one of/, answer],
    [/holds no dump of chromium/, `${answer}:chromium`],
    [/cannot be read/, join(folder, 'nowhere')],
    [/is no JSON document/, write('text', 'text')],
    [/holds no dump, and no answer/, write('other', [])],
    [
      /viewport: expected 800 by 600/,
      write('small', dump('webkit', 1, { viewport: { width: 1, height: 1 } })),
    ],
  ]
  for (const [told, path] of bad) {
    const ended = await docket.run('compare', path, chromium)
    t.is(ended.code, 2)
    t.regex(ended.stderr, told)
    t.is(ended.stdout, '')
  }
})
