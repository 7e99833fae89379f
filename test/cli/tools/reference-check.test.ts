import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { Value } from '../../../domain/agreement.js'
import { decodeReferenceCheck } from '../../../domain/decode-reference-check.js'
import type { CheckedDecision } from '../../../domain/reference-check.js'
import { decisionOf } from '../../domain/examples.js'
import { type Ended, runTool, scratchFolder, stubRunner } from './run-tool.js'

const stub = (name: string): string => `exec node '${resolve('fixtures', 'reference-check', name)}'`

const emptyFile = '{\n  "format": 1,\n  "decisions": []\n}\n'

const check = (state: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runTool('reference-check.sh', { args: [state], env: { JOBS_ORACLE: stub('stub-oracle.mjs'), ...env } })

const stateWith = async (t: ExecutionContext, decisions: unknown): Promise<string> => {
  const state = await scratchFolder(t)
  const text = typeof decisions === 'string' ? decisions : JSON.stringify(decisions)
  await writeFile(join(state, 'decisions.json'), text)
  return state
}

const written = async (state: string): Promise<ReadonlyArray<CheckedDecision>> => {
  const read = decodeReferenceCheck(JSON.parse(await readFile(join(state, 'reference-check.json'), 'utf8')))
  if (E.isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right.decisions
}

/** Checks one decision on a canned page, and gives its outcome with the reference and rule of its field. */
const outcomeOn = async (t: ExecutionContext, page: string, expected: Value, node = 2): Promise<object> => {
  const probe = { html: '<div></div>', expect: [{ node, field: 'bounding.w', value: expected }] }
  const state = await stateWith(t, [{ ...decisionOf(page, {}), probe }])
  const { code, stderr } = await check(state)
  t.is(code, 0, stderr)
  const [decision] = await written(state)
  const [field] = decision?.fields ?? []
  return { outcome: decision?.outcome, reference: field?.reference, rule: field?.rule }
}

test('three browsers that agree with the expectation: agrees, by majority', async (t) => {
  t.deepEqual(await outcomeOn(t, 'all-agree', 100), { outcome: 'agrees', reference: 100, rule: 'majority' })
})

test('three browsers that agree against it: disagrees', async (t) => {
  t.deepEqual(await outcomeOn(t, 'all-agree', 99), { outcome: 'disagrees', reference: 100, rule: 'majority' })
})

test('two browsers that agree with the expectation and one that does not: agrees, by majority', async (t) => {
  t.deepEqual(await outcomeOn(t, 'webkit-differs', 100), {
    outcome: 'agrees',
    reference: 100,
    rule: 'majority',
  })
})

test('two browsers that agree against it: disagrees', async (t) => {
  t.deepEqual(await outcomeOn(t, 'webkit-differs', 120), {
    outcome: 'disagrees',
    reference: 100,
    rule: 'majority',
  })
})

test("Firefox and WebKit agree while Chromium differs: the reference is Firefox's value", async (t) => {
  const found = await outcomeOn(t, 'chromium-differs', 100)
  t.deepEqual(found, { outcome: 'agrees', reference: 100, rule: 'majority' })
})

test("all three differ and Chromium's value was expected: agrees, by chromium-default", async (t) => {
  const found = await outcomeOn(t, 'all-differ', 90)
  t.deepEqual(found, { outcome: 'agrees', reference: 90, rule: 'chromium-default' })
})

test("all three differ and another browser's value was expected: disagrees", async (t) => {
  const found = await outcomeOn(t, 'all-differ', 100)
  t.deepEqual(found, { outcome: 'disagrees', reference: 90, rule: 'chromium-default' })
})

test('Firefox near both others, which are not near each other: Chromium by majority', async (t) => {
  const found = await outcomeOn(t, 'firefox-between', 100.03125)
  t.deepEqual(found, { outcome: 'agrees', reference: 100.03125, rule: 'majority' })
})

test('one browser that errs: unchecked', async (t) => {
  t.deepEqual(await outcomeOn(t, 'webkit-errors', 100), { outcome: 'unchecked', reference: null, rule: null })
})

test('a malformed dump of one browser: unchecked', async (t) => {
  t.deepEqual(await outcomeOn(t, 'malformed-dump', 100), {
    outcome: 'unchecked',
    reference: null,
    rule: null,
  })
})

test('a page that the oracle does not take: unchecked', async (t) => {
  t.deepEqual(await outcomeOn(t, 'no-such-page', 1), { outcome: 'unchecked', reference: null, rule: null })
})

test('a node index outside of the dump: unchecked', async (t) => {
  t.deepEqual(await outcomeOn(t, 'all-agree', 100, 7), { outcome: 'unchecked', reference: null, rule: null })
})

test('a number within 1/60 px of the reference: agrees', async (t) => {
  t.like(await outcomeOn(t, 'all-agree', 100.0166), { outcome: 'agrees', reference: 100 })
  t.like(await outcomeOn(t, 'all-agree', 100.0167), { outcome: 'disagrees', reference: 100 })
  t.like(await outcomeOn(t, 'close', 100.03), { outcome: 'agrees', reference: 100.0157 })
})

test('no decisions.json, and an empty one: an empty list, and no oracle is started', async (t) => {
  for (const decisions of [null, '', '[]']) {
    const state = decisions === null ? await scratchFolder(t) : await stateWith(t, decisions)
    t.is((await check(state, { JOBS_ORACLE: stub('exits-at-once.mjs') })).code, 0)
    t.is(await readFile(join(state, 'reference-check.json'), 'utf8'), emptyFile)
  }
})

test('an oracle that exits at once: exit 2, says so, and leaves no file of an earlier run', async (t) => {
  const state = await stateWith(t, [decisionOf('all-agree', { 'bounding.w': 100 })])
  await writeFile(join(state, 'reference-check.json'), emptyFile)
  const { code, stderr } = await check(state, { JOBS_ORACLE: stub('exits-at-once.mjs') })
  t.is(code, 2)
  t.regex(stderr, /^reference-check: the oracle exited with 3, .*no browsers here/)
  t.deepEqual(await readdir(state), ['decisions.json'])
})

test('a malformed decisions.json: exit 2, with every reason', async (t) => {
  const { code, stderr } = await check(await stateWith(t, [1, { id: 'a' }]))
  t.is(code, 2)
  t.regex(
    stderr,
    /decisions\.json is malformed:\n {2}\[0\]: expected a decision, got 1\n {2}\[1\]\.question: /,
  )
})

test('a decisions.json that is a link, a folder, or too long: exit 2', async (t) => {
  const linked = await scratchFolder(t)
  await writeFile(join(linked, 'real.json'), '[]')
  await symlink('real.json', join(linked, 'decisions.json'))
  const folder = await scratchFolder(t)
  await mkdir(join(folder, 'decisions.json'))
  const long = await stateWith(t, ' '.repeat(1024 * 1024 + 1))
  const pipe = await scratchFolder(t)
  t.is(spawnSync('sh', ['-c', 'mkfifo "$0"', join(pipe, 'decisions.json')]).status, 0)
  for (const state of [linked, folder, long, pipe]) {
    const { code, stderr } = await check(state)
    t.is(code, 2)
    t.regex(stderr, /decisions\.json cannot be read: /)
  }
})

test('a signal ends the oracle too, and exits as the signal says', async (t) => {
  const state = await stateWith(t, [decisionOf('all-agree', { 'bounding.w': 100 })])
  const tool = spawn(resolve('cli', 'tools', 'reference-check.sh'), [state], {
    env: { PATH: process.env.PATH, JOBS_ORACLE: `echo $$ > '${state}/pid'; exec sleep 60` },
  })
  const ended = once(tool, 'exit')
  while (!existsSync(join(state, 'pid'))) await setTimeout(50)
  await setTimeout(100)
  tool.kill('SIGTERM')
  t.deepEqual(await ended, [143, null])
  const pid = Number(await readFile(join(state, 'pid'), 'utf8'))
  t.throws(() => process.kill(pid, 0))
  t.false(existsSync(join(state, 'reference-check.json')))
})

test('several decisions are checked in the order of the file, and the file has nothing but its format', async (t) => {
  const expected = { 'bounding.w': 100, 'style.display': 'block' }
  const broken = { ...decisionOf('broken', {}), probe: 'none' }
  const state = await stateWith(t, [
    decisionOf('shapes-differ', expected),
    broken,
    decisionOf('overflowed', expected),
  ])
  t.is((await check(state)).code, 0)
  const decisions = await written(state)
  t.deepEqual(
    decisions.map(({ id, outcome, fields }) => [id, outcome, fields.length]),
    [
      ['shapes-differ', 'agrees', 2],
      ['broken', 'unchecked', 0],
      ['overflowed', 'agrees', 2],
    ],
  )
  t.regex(decisions[0]?.detail ?? '', /different trees/)
  t.regex(decisions[2]?.detail ?? '', /overflowed in chromium, firefox, webkit/)
  t.deepEqual((await readdir(state)).sort(), ['decisions.json', 'reference-check.json'])
})

test('the folder is DOCKET_STATE when none is given; without either it is bad usage', async (t) => {
  const state = await scratchFolder(t)
  t.is((await runTool('reference-check.sh', { env: { DOCKET_STATE: state } })).code, 0)
  t.true(existsSync(join(state, 'reference-check.json')))
  for (const args of [[], ['a', 'b'], ['--what'], ['']]) {
    const { code, stderr } = await runTool('reference-check.sh', { args })
    t.is(code, 2)
    t.regex(stderr, /usage: reference-check\.sh/)
  }
  const help = await runTool('reference-check.sh', { args: ['--help'] })
  t.is(help.code, 0)
  t.regex(help.stdout, /^usage: /)
})

test('a state folder that is not there: exit 2', async (t) => {
  t.is((await check(join(await scratchFolder(t), 'nowhere'))).code, 2)
})

test('without JOBS_ORACLE the oracle of the working folder is asked', async (t) => {
  const workdir = await scratchFolder(t)
  await mkdir(join(workdir, 'oracle'))
  await copyFile('fixtures/reference-check/stub-oracle.mjs', join(workdir, 'oracle', 'oracle.mjs'))
  await copyFile('fixtures/reference-check/responses.json', join(workdir, 'oracle', 'responses.json'))
  const state = await stateWith(t, [decisionOf('all-agree', { 'bounding.w': 100 })])
  t.is((await runTool('reference-check.sh', { args: [state], cwd: workdir })).code, 0)
  t.is((await written(state))[0]?.outcome, 'agrees')
})

test('a copy of the launcher and its bundle works by itself', async (t) => {
  const tools = await scratchFolder(t)
  await copyFile('cli/tools/reference-check.sh', join(tools, 'reference-check.sh'))
  await copyFile('dist/tools/reference-check.mjs', join(tools, 'reference-check.mjs'))
  const state = await scratchFolder(t)
  t.is(spawnSync(join(tools, 'reference-check.sh'), [state], { env: { PATH: process.env.PATH } }).status, 0)
  t.is(await readFile(join(state, 'reference-check.json'), 'utf8'), emptyFile)
})

test("in a job the runner's bytes are written, and no oracle is asked", async (t) => {
  const state = await stateWith(t, 'not even JSON')
  const runner = await stubRunner(t, () => ({ ok: true, file: 'bytes of the runner\n' }))
  t.is((await check(state, { ...runner.env, JOBS_ORACLE: stub('exits-at-once.mjs') })).code, 0)
  t.is(await readFile(join(state, 'reference-check.json'), 'utf8'), 'bytes of the runner\n')
  t.deepEqual(runner.asked, [{ token: 'secret', op: 'check-references' }])
})

test('in a job what the runner refuses is told, with exit 2', async (t) => {
  const state = await scratchFolder(t)
  const malformed = await stubRunner(t, () => ({ ok: false, tag: 'decisions-malformed', message: '[0]: no' }))
  const refused = await check(state, malformed.env)
  t.deepEqual([refused.code, refused.stderr], [2, 'reference-check: decisions-malformed: [0]: no\n'])
  const silent = await stubRunner(t, () => null)
  t.regex((await check(state, silent.env)).stderr, /closed the connection without an answer/)
  t.regex((await check(state, { DOCKET_SOCKET: join(state, 'none') })).stderr, /the runner cannot be reached/)
  t.deepEqual(await readdir(state), [])
})
