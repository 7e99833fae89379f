import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { docketOn } from '../support/docket.js'
import { manifestOf, passing, reference, writer } from '../support/manifests.js'
import { refusesWith } from '../support/refuses-with.js'
import { scratchCheckout } from '../support/scratch-checkout.js'

test('a manifest that is not there, or is no JSON, is told and begins nothing', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratchCheckout(t)
  await refusesWith(t, docket, ['run', 'nowhere.json', '--workdir', workdir], 2, /no manifest nowhere\.json/)
  await refusesWith(t, docket, ['run', manifest('{'), '--workdir', workdir], 2, /expected JSON/)
  await refusesWith(t, docket, ['run', manifest('{"a":1,"a":2}'), '--workdir', workdir], 2, /twice/)
  t.is(JSON.parse((await docket.run('list', '--json')).stdout).length, 0)
})

test('a manifest that breaks several rules has all of them named with their paths', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratchCheckout(t)
  const broken = manifest({
    limits: { wall_clock_seconds: -1, writer_relaunches: 0.5, failed_rounds: 2 },
    rework_from: 'nowhere',
    surprise: true,
    stages: [
      {
        name: 'a',
        kind: 'script',
        command: [],
        on_fail: 'rework',
        checks: [{ check: 'reference', args: ['one'] }],
      },
    ],
  })
  await refusesWith(
    t,
    docket,
    ['run', broken, '--workdir', workdir],
    2,
    /limits\.wall_clock_seconds: expected/,
    /limits\.writer_relaunches: expected/,
    /rework_from: expected/,
    /surprise: expected/,
    /stages\[0\]\.command: expected/,
    /stages\[0\]\.checks\[0\]\.args: expected 2/,
  )
})

test('an agent or a program that is not there is told before anything begins', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratchCheckout(t)
  const agentless = manifest(manifestOf({ ...writer('{agent}'), agent: 'ghost' }))
  await refusesWith(t, docket, ['run', agentless, '--workdir', workdir], 2, /no agent ghost/)
  const programless = manifest(manifestOf(writer('no-such-program-here'), passing))
  await refusesWith(t, docket, ['run', programless, '--workdir', workdir], 6, /no-such-program-here/)
})

test('browsers that are not there are told with what to type, before anything begins', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir, folder } = scratchCheckout(t)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const program of ['git', 'sh']) {
    const path = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
    execFileSync('ln', ['-s', path, join(bin, program)])
  }
  const args = [
    'run',
    manifest(manifestOf(writer('git', '--version'), reference(), passing)),
    '--workdir',
    workdir,
  ]
  const { code, stderr } = await docket.start(args, {
    JOBS_ORACLE: '',
    PATH: bin,
    PLAYWRIGHT_BROWSERS_PATH: folder,
  }).ended
  t.is(code, 6, stderr)
  for (const engine of ['chromium', 'firefox', 'webkit']) t.regex(stderr, new RegExp(`${engine}: `))
  t.false(existsSync(join(docket.home, 'jobs')))
})
