import { Readable } from 'node:stream'
import test from 'ava'
import { type Line, readLines } from '../../oracle/service/read-lines.js'

const linesOf = async (chunks: ReadonlyArray<string>, longest?: number): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  const text = (line: Line): string => (line.type === 'line' ? `${line.bytes}` : `too long: ${line.head}`)
  for await (const line of readLines(Readable.from(chunks.map((each) => Buffer.from(each))), longest)) {
    lines.push(text(line))
  }
  return lines
}

test('lines come out whole, however they arrive', async (t) => {
  t.deepEqual(await linesOf(['a', 'b\ncd\n', '\ne']), ['ab', 'cd', 'e'])
  t.deepEqual(await linesOf(['é'.repeat(3), '\n']), ['ééé'])
  t.deepEqual(await linesOf([]), [])
})

test('a line that is too long leaves its head, and the next one is whole', async (t) => {
  t.deepEqual(await linesOf(['{"id":"a"', 'x'.repeat(20), 'y'.repeat(20), '\nnext\n'], 10), [
    `too long: {"id":"a"${'x'.repeat(20)}${'y'.repeat(20)}`,
    'next',
  ])
})
