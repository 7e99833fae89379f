import test from 'ava'
import { parseRequest } from '../../oracle/service/parse-request.js'

const parse = (text: string) => parseRequest({ type: 'line', bytes: Buffer.from(text, 'latin1') })

test('a line that is not UTF-8 is invalid', (t) => {
  t.like(parse('{"id":"a","html":"\xff"}'), { type: 'invalid', id: null })
})

test('a line that is too long keeps the id that it begins with', (t) => {
  const tooLong = (head: string) => parseRequest({ type: 'too-long', head: Buffer.from(head) })
  t.like(tooLong('{"id": "a\\"b", "html": "x'), { type: 'invalid', id: 'a"b' })
  t.like(tooLong('{"html": "x'), { type: 'invalid', id: null })
})

test('engines are optional', (t) => {
  t.deepEqual(parse('{"id":"a","html":"x"}'), { type: 'measure', request: { id: 'a', html: 'x' } })
  t.like(parse('{"id":"a","html":"x","engines":["webkit"]}'), { request: { engines: ['webkit'] } })
})
