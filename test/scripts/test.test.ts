import test from 'ava'
import { makeCheckout, runNode } from './scratch.js'

const passing = "import test from 'ava'\ntest('passes', (t) => t.pass())\n"

const cases = {
  'a file that throws': `${passing}throw new Error('boom')\n`,
  'a file that is killed': `${passing}test('dies', () => process.kill(process.pid, 'SIGKILL'))\n`,
  'a file that exits by itself': `${passing}test('leaves', () => process.exit(0))\n`,
  'a file without tests': 'export const nothing = 1\n',
  'a hook that fails': `${passing}test.after(() => { throw new Error('hook') })\n`,
  'a promise that nobody awaits': `${passing}void Promise.reject(new Error('lost'))\n`,
  'an assertion that fails': `${passing}test('fails', (t) => t.is(1 as number, 2))\n`,
}

for (const [name, text] of Object.entries(cases)) {
  test(`${name} counts as failed`, async (t) => {
    const folder = await makeCheckout(t, { 'test/case.test.ts': text, 'test/other.test.ts': passing })
    const { code, stdout } = await runNode(folder, 'scripts/test.mjs')
    t.is(code, 1, stdout)
    t.regex(stdout, /\n\d+ passed, [1-9]\d* failed\n$/)
  })
}

test('tests that all pass end with their count alone on the last line', async (t) => {
  const folder = await makeCheckout(t, {
    'test/one.test.ts': `${passing}test('prints', (t) => { console.log('# fail 9\\nnot ok 1 - x'); t.pass() })\n`,
    'test/two.test.ts': passing,
  })
  const { code, stdout } = await runNode(folder, 'scripts/test.mjs')
  t.regex(stdout, /\n3 passed, 0 failed\n$/)
  t.is(code, 0)
})

test('a file is named as in the sources', async (t) => {
  const folder = await makeCheckout(t, { 'test/one.test.ts': passing, 'test/two.test.ts': passing })
  const { stdout } = await runNode(folder, 'scripts/test.mjs', './test/two.test.ts')
  t.regex(stdout, /\n1 passed, 0 failed\n$/)
})

test('sources that do not compile run no test, and count as failed', async (t) => {
  const folder = await makeCheckout(t, { 'test/one.test.ts': `${passing}const one: string = 1\n` })
  const { code, stdout } = await runNode(folder, 'scripts/test.mjs')
  t.is(code, 1)
  t.regex(stdout, /\n0 passed, 1 failed\n$/)
})
