import { spawn } from 'node:child_process'
import test, { type ExecutionContext } from 'ava'
import { type Docket, docketOn } from '../support/docket.js'
import { limits, manifestOf, passing, script, writer } from '../support/manifests.js'
import { scratchCheckout } from '../support/scratch-checkout.js'
import { root } from '../support/scratch-job.js'

/** Runs a job that is sent back once and then accepted. */
const accepted = async (t: ExecutionContext, docket: Docket, name = 'a job'): Promise<string> => {
  const { workdir, manifest } = scratchCheckout(t)
  const flaky = script('test', 'sh', '-c', 'echo tested; [ "$DOCKET_ROUND" = 2 ]')
  const path = manifest({ ...manifestOf(writer('true'), flaky, passing), name })
  const { code, stdout, stderr } = await docket.run('run', path, '--workdir', workdir, '--json')
  t.is(code, 0, stderr)
  const summary = JSON.parse(stdout) as { job: string; status: string; rounds: number; failedRounds: number }
  t.deepEqual([summary.status, summary.rounds, summary.failedRounds], ['accepted', 2, 1])
  return summary.job
}

test('what a job did is told by every reading command, as text and as one JSON document', async (t) => {
  const docket = await docketOn(t)
  const job = await accepted(t, docket)
  const reading = [
    ['list'],
    ['show', job],
    ['show', job.slice(0, 4)],
    ['show', '@last', '--at', 'round 1'],
    ['log', '@last'],
    ['why', '@last'],
    ['at', '@last', '-1'],
    ['at', '@last', 'v3'],
    ['at', '@last', 'stage test'],
    ['at', '@last', '2999-01-01T00:00:00Z'],
    ['verify'],
    ['rebuild'],
    ['doctor'],
  ]
  for (const args of reading) {
    const text = await docket.run(...args)
    t.is(text.code, 0, `${args.join(' ')}: ${text.stderr}`)
    t.true(text.stdout.length > 10, args.join(' '))
    const json = await docket.run(...args, '--json')
    t.notThrows(() => JSON.parse(json.stdout), args.join(' '))
  }
  const lines = (await docket.run('log', '@last', '--jsonl')).stdout.trim().split('\n')
  t.is((JSON.parse(lines[0] ?? '') as { type: string }).type, 'JobSubmitted')
  t.is((await docket.run('log', '@last', '--stage', 'test')).stdout, 'tested\n')
})

test('a head that was kept is compared with, and what is none is bad usage', async (t) => {
  const docket = await docketOn(t)
  const before = (await docket.run('head')).stdout
  await accepted(t, docket)
  t.is((await docket.run('verify', '--against', before)).code, 0)
  const other = before.replace(/ 0 [0-9a-f]+/, ` 2 ${'ab'.repeat(32)}`)
  const differs = await docket.run('verify', '--against', other, '--json')
  t.is(differs.code, 1)
  t.is((JSON.parse(differs.stdout) as { differences: ReadonlyArray<unknown> }).differences.length, 1)
  for (const bad of ['nowhere', 'docket-head 1 x', '/dev/null']) {
    const { code, stdout } = await docket.run('verify', '--against', bad)
    t.is(code, 2)
    t.is(stdout, '')
  }
})

test('a moment of the past is shown as it was', async (t) => {
  const docket = await docketOn(t)
  await accepted(t, docket)
  const statusAt = async (when: string): Promise<unknown> =>
    (JSON.parse((await docket.run('at', '@last', when, '--json')).stdout) as { status: string }).status
  t.is(await statusAt('v1'), 'ready')
  t.is(await statusAt('round 1'), 'running')
  t.is(await statusAt('-1'), 'running')
  t.is(await statusAt('-0'), 'accepted')
  for (const when of ['yesterday', 'round 9', 'stage nope', '-999', '2000-01-01T00:00:00Z', '2026-12-01']) {
    const { code, stderr } = await docket.run('at', '@last', when)
    t.is(code, 2, when)
    t.true(stderr.length > 10)
  }
})

test('an id of one’s own is taken once', async (t) => {
  const docket = await docketOn(t)
  const { workdir, manifest } = scratchCheckout(t)
  const args = ['run', manifest(manifestOf(writer('true'), passing)), '--workdir', workdir, '--id', 'mine']
  t.is((await docket.run(...args)).code, 0)
  const again = await docket.run(...args)
  t.is(again.code, 7)
  t.regex(again.stderr, /a job mine exists already/)
  t.is(JSON.parse((await docket.run('list', '--json')).stdout).length, 1)
})

test('a start that several jobs share is told with some of them', async (t) => {
  const docket = await docketOn(t)
  const { workdir, manifest } = scratchCheckout(t)
  const path = manifest(manifestOf(writer('true'), passing))
  for (const id of ['same-1', 'same-2']) await docket.run('run', path, '--workdir', workdir, '--id', id)
  const { code, stderr } = await docket.run('show', 'same')
  t.is(code, 2)
  t.regex(stderr, /start of 2 jobs \(same-2, same-1\)/)
})

test('a job that waits ends with 3, and one that stops with 1', async (t) => {
  const docket = await docketOn(t)
  const { workdir, manifest } = scratchCheckout(t)
  const failing = {
    ...manifestOf(writer('true'), script('test', 'false')),
    limits: { ...limits, failed_rounds: 0 },
  }
  const waits = await docket.run('run', manifest(failing), '--workdir', workdir)
  t.is(waits.code, 3)
  t.regex(waits.stdout, /waits .*1 rounds? failed/)
  const { on_fail: _, ...stopping } = script('test', 'false')
  const stops = await docket.run('run', manifest(manifestOf(writer('true'), stopping)), '--workdir', workdir)
  t.is(stops.code, 1)
  const why = await docket.run('why', '@last')
  t.regex(why.stdout, /Not accepted, because:\n {2}- stage test failed/)
})

test('a name that would play with a terminal is shown harmless', async (t) => {
  const docket = await docketOn(t)
  await accepted(t, docket, 'evil \u202e"<script>" (name) 👩‍👩‍👧')
  for (const args of [['list'], ['show', '@last'], ['log', '@last'], ['why', '@last']]) {
    const { stdout } = await docket.run(...args)
    t.false(stdout.includes('\u202e'))
    t.true(stdout.includes('"<script>" (name) 👩‍👩‍👧'))
  }
})

test('a reader that stops reading is no failure', async (t) => {
  const docket = await docketOn(t)
  await accepted(t, docket)
  for (const args of ['log @last', 'show @last --json', 'why @last', 'list']) {
    const child = spawn('sh', ['-c', `'${process.execPath}' cli/docket.mjs ${args} | head -1`], {
      cwd: root,
      env: docket.env,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    await new Promise((resolve) => child.once('close', resolve))
    t.is(stderr, '', args)
  }
})

test('Ctrl-C ends the stage in good order, and the job can be resumed', async (t) => {
  const docket = await docketOn(t)
  const { workdir, manifest } = scratchCheckout(t)
  const slow = `[ -e "$DOCKET_STATE/again" ] || { touch "$DOCKET_STATE/again"; sleep 60; }`
  const path = manifest(manifestOf(writer('true'), script('test', 'sh', '-c', slow), passing))
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const run = docket.start(['run', path, '--workdir', workdir])
    await run.says('test runs')
    await new Promise((resolve) => setTimeout(resolve, 300))
    run.kill(signal)
    const ended = await run.ended
    t.is(ended.code, code, ended.stderr)
    t.regex(ended.stderr, /its runner let go/)
    const resumed = await docket.run('resume', '@last', '--json')
    t.is(resumed.code, 0, resumed.stderr)
    t.is((JSON.parse(resumed.stdout) as { status: string }).status, 'accepted')
  }
})
