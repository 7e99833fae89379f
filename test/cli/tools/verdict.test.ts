import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { runTool, scratchFolder, stubRunner } from './run-tool.js'

const asked = (more: object): object => ({ token: 'secret', op: 'verdict', notes: '', findings: [], ...more })

test('a pass and its notes reach the runner', async (t) => {
  const runner = await stubRunner(t, () => ({ ok: true }))
  t.is((await runTool('verdict', { args: ['pass'], env: runner.env })).code, 0)
  t.is((await runTool('verdict', { args: ['pass', '--notes', 'fine'], env: runner.env })).code, 0)
  t.deepEqual(runner.asked, [asked({ verdict: 'pass' }), asked({ verdict: 'pass', notes: 'fine' })])
})

test('findings come from arguments, from a file and from stdin', async (t) => {
  const runner = await stubRunner(t, () => ({ ok: true }))
  const file = join(await scratchFolder(t), 'findings.json')
  await writeFile(file, '["c"]')
  t.is((await runTool('verdict', { args: ['find', 'a', 'b b'], env: runner.env })).code, 0)
  t.is((await runTool('verdict', { args: ['findings', file], env: runner.env })).code, 0)
  t.is((await runTool('verdict', { args: ['findings', '-'], env: runner.env, input: '["d"]' })).code, 0)
  t.is((await runTool('verdict', { args: ['findings'], env: runner.env, input: '["e"]' })).code, 0)
  t.deepEqual(
    runner.asked,
    [['a', 'b b'], ['c'], ['d'], ['e']].map((findings) => asked({ verdict: 'findings', findings })),
  )
})

test('bad usage and bad findings exit 2 without a word to the runner', async (t) => {
  const runner = await stubRunner(t, () => ({ ok: true }))
  for (const args of [
    [],
    ['maybe'],
    ['pass', 'x'],
    ['pass', '--notes'],
    ['find'],
    ['find', ' '],
    ['findings', 'a', 'b'],
  ]) {
    const { code, stderr, stdout } = await runTool('verdict', { args, env: runner.env })
    t.deepEqual([code, stdout], [2, ''])
    t.not(stderr, '')
  }
  for (const input of ['', '{}', '[1]', '[]']) {
    t.is((await runTool('verdict', { args: ['findings'], env: runner.env, input })).code, 2)
  }
  t.deepEqual(runner.asked, [])
})

test('without a job, and when the runner refuses, it exits 2 and says why', async (t) => {
  t.regex((await runTool('verdict', { args: ['pass'] })).stderr, /there is no job around this/)
  const runner = await stubRunner(t, () => ({
    ok: false,
    tag: 'not-yours',
    message: 'a writer gives no verdict',
  }))
  const { code, stderr } = await runTool('verdict', { args: ['pass'], env: runner.env })
  t.deepEqual([code, stderr], [2, 'verdict: not-yours: a writer gives no verdict\n'])
})

test('help is on stdout', async (t) => {
  const { code, stdout } = await runTool('verdict', { args: ['--help'] })
  t.is(code, 0)
  t.regex(stdout, /^usage: verdict pass/)
})
