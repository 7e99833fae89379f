import { readFileSync } from 'node:fs'
import test from 'ava'
import { answersFrom } from '../../domain/answers.js'
import { isObject } from '../../domain/codecs.js'
import type { Probe } from '../../domain/probe.js'

const responses: unknown = JSON.parse(readFileSync('fixtures/reference-check/responses.json', 'utf8'))

const dumpsOf = (name: string): Readonly<Record<string, unknown>> => {
  const response = isObject(responses) ? responses[name] : undefined
  if (!isObject(response) || !isObject(response.dumps)) throw new Error(`no response ${name}`)
  return response.dumps
}

const probe: Probe = {
  html: '',
  expect: [
    { node: 2, field: 'bounding.w', value: 0 },
    { node: 2, field: 'rects.length', value: 0 },
    { node: 1, field: 'style.display', value: '' },
    { node: 1, field: 'style.constructor', value: '' },
    { node: 3, field: 'bounding.x', value: 0 },
  ],
}

const versions = { chromium: '140.0', firefox: '128.0', webkit: '2.48' }

test('the values that a probe asks for are cut from the dumps, in its order', (t) => {
  const { engines, shapesDiffer } = answersFrom(probe, dumpsOf('webkit-differs'), {}, versions)
  t.deepEqual(engines.webkit, {
    version: '2.48',
    values: [120, 1, 'block', null, null],
    nodes: 3,
    overflowed: false,
    error: null,
  })
  t.false(shapesDiffer)
})

test('a browser without a known version has the version unknown', (t) => {
  t.is(answersFrom(probe, dumpsOf('all-agree'), {}, {}).engines.firefox.version, 'unknown')
})

test('a malformed dump is the error of its browser alone', (t) => {
  const { engines } = answersFrom(probe, dumpsOf('malformed-dump'), {}, versions)
  t.is(engines.firefox.error, 'gave a malformed dump: nodes[1].parent: expected an earlier node, got 7')
  t.deepEqual(engines.firefox.values, [null, null, null, null, null])
  t.is(engines.chromium.error, null)
})

test("a dump of another browser or another viewport is no answer of this one's", (t) => {
  const { chromium } = dumpsOf('all-agree')
  const asFirefox = answersFrom(probe, { firefox: chromium }, {}, versions).engines.firefox
  t.is(asFirefox.error, 'gave a malformed dump: engine: expected firefox, got chromium')
  const wide = { ...(isObject(chromium) ? chromium : {}), viewport: { width: 1024, height: 600 } }
  t.regex(answersFrom(probe, { chromium: wide }, {}, versions).engines.chromium.error ?? '', /800 by 600/)
})

test('an error counts even beside a dump, and silence is an error', (t) => {
  const { engines } = answersFrom(probe, dumpsOf('webkit-errors'), { chromium: 'gone' }, versions)
  t.is(engines.chromium.error, 'gone')
  t.is(engines.webkit.error, 'gave neither a dump nor an error')
})

test('trees that differ between browsers are noticed', (t) => {
  t.true(answersFrom(probe, dumpsOf('shapes-differ'), {}, versions).shapesDiffer)
})
