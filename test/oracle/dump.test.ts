import test from 'ava'
import { styleProperties } from '../../domain/dump.js'
import { engines } from '../../domain/engine.js'
import { type Answer, type RawDump, startOracle } from './support/oracle-process.js'

const oracle = startOracle()
let asked = 0
const ask = (html: string): Promise<Answer> => {
  asked += 1
  return oracle.ask({ id: `page-${asked}`, html })
}
const dumpsOf = async (html: string): Promise<ReadonlyArray<RawDump>> => {
  const { dumps } = await ask(html)
  return engines.map((engine) => dumps?.[engine] as RawDump)
}

test.after.always('the oracle ends well', async (t) => {
  t.is(await oracle.end(), 0)
})

test('a dump has the fields of the format, in its order', async (t) => {
  for (const [place, dump] of (await dumpsOf('<!doctype html><p>a')).entries()) {
    t.deepEqual(Object.keys(dump), ['engine', 'viewport', 'overflowed', 'nodes'])
    t.is(dump.engine, engines[place] as string)
    t.deepEqual(dump.viewport, { width: 800, height: 600 })
    for (const node of dump.nodes) {
      t.deepEqual(Object.keys(node), ['index', 'parent', 'tag', 'depth', 'bounding', 'rects', 'style'])
      t.deepEqual(Object.keys(node.bounding), ['x', 'y', 'w', 'h'])
      t.deepEqual(Object.keys(node.style), [...styleProperties])
    }
  }
})

test('nodes are every element in document order, with parent and depth', async (t) => {
  for (const dump of await dumpsOf('<!doctype html><title>t</title><div><p><b></b></p><i></i></div><hr>')) {
    t.deepEqual(
      dump.nodes.map(({ index, parent, tag, depth }) => [index, parent, tag, depth]),
      [
        [0, -1, 'HTML', 0],
        [1, 0, 'HEAD', 1],
        [2, 1, 'TITLE', 2],
        [3, 0, 'BODY', 1],
        [4, 3, 'DIV', 2],
        [5, 4, 'P', 3],
        [6, 5, 'B', 4],
        [7, 4, 'I', 3],
        [8, 3, 'HR', 2],
      ],
    )
  }
})

test('a tag is as the DOM reports it, in lower case in SVG', async (t) => {
  for (const dump of await dumpsOf('<!doctype html><svg><linearGradient></linearGradient></svg>')) {
    t.deepEqual(
      dump.nodes.slice(3).map(({ tag }) => tag),
      ['svg', 'linearGradient'],
    )
  }
})

test('an element without a box has no rects and a bounding of zeroes', async (t) => {
  for (const dump of await dumpsOf('<!doctype html><div style="display:none"></div>')) {
    t.deepEqual(dump.nodes[3]?.rects, [])
    t.deepEqual(dump.nodes[3]?.bounding, { x: 0, y: 0, w: 0, h: 0 })
    t.is(dump.nodes[3]?.style.display, 'none')
  }
})

test('an inline box on two lines has two rects', async (t) => {
  const box = '<b style="display:inline-block;width:60px;height:5px"></b>'
  for (const dump of await dumpsOf(
    `<!doctype html><div style="width:100px"><i>${box}<wbr>${box}</i></div>`,
  )) {
    t.is(dump.nodes[4]?.rects.length, 2)
  }
})

test('lengths are doubles at full precision, each on its engine’s own grid', async (t) => {
  const dumps = await dumpsOf('<!doctype html><div style="width:100px"><p style="width:33.333%"></div>')
  t.deepEqual(
    dumps.map(({ nodes }) => nodes[4]?.bounding.w),
    [33.328125, 33.31666564941406, 33.328125],
  )
  t.deepEqual(
    dumps.map(({ nodes }) => nodes[4]?.style.width),
    ['33.3281px', '33.3167px', '33.328125px'],
  )
})

test('a page that scrolls says so, and its scrollbars take no width', async (t) => {
  for (const dump of await dumpsOf('<!doctype html><div style="height:2000px"></div>')) {
    t.true(dump.overflowed)
    t.is(dump.nodes[0]?.bounding.w, 800)
  }
  for (const dump of await dumpsOf('<!doctype html><div style="width:801px;height:1px"></div>'))
    t.true(dump.overflowed)
  for (const dump of await dumpsOf('<!doctype html><div style="height:500px"></div>'))
    t.false(dump.overflowed)
})

test('a page in quirks mode stays in it', async (t) => {
  const html = '<div style="height:50%"></div>'
  for (const dump of await dumpsOf(html)) t.is(dump.nodes[3]?.bounding.h, 292)
  for (const dump of await dumpsOf(`<!doctype html>${html}`)) t.is(dump.nodes[3]?.bounding.h, 0)
  const limited = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x">'
  for (const dump of await dumpsOf(limited + html)) t.is(dump.nodes[3]?.bounding.h, 0)
})

test('an empty page is html, head and body', async (t) => {
  for (const dump of await dumpsOf('')) {
    t.deepEqual(
      dump.nodes.map(({ tag }) => tag),
      ['HTML', 'HEAD', 'BODY'],
    )
    t.false(dump.overflowed)
  }
})

test('the media are a light scheme, full motion and one device pixel per px', async (t) => {
  const rule =
    '(prefers-color-scheme:light) and (prefers-reduced-motion:no-preference) and (resolution:1dppx)'
  for (const dump of await dumpsOf(`<!doctype html><style>@media ${rule}{p{width:7px}}</style><p>`)) {
    t.is(dump.nodes[4]?.bounding.w, 7)
  }
})

test('the same page gives the same bytes', async (t) => {
  const html = '<!doctype html><p>some text</p><input><div style="width:33.333%"></div>'
  t.deepEqual((await ask(html)).dumps, (await ask(html)).dumps)
})
