import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { root } from '../support/scratch-job.js'

const page = readFileSync(join(root, 'docs', 'ledger.md'), 'utf8')

test('every promise of the ledger names a test that is there', (t) => {
  const lines = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (promise|---)/.test(line))
  t.true(lines.length > 10)
  for (const line of lines) {
    const [, title = '', file = ''] = /\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\) *\|$/.exec(line) ?? []
    t.not(file, '', line)
    // A title may go on with what each case of it is.
    t.true(readFileSync(join(root, file), 'utf8').includes(title.replace(/…$/, '')), `${file}: ${title}`)
  }
})
