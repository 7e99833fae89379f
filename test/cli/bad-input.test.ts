import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type Docket, docketOn } from '../support/docket.js'
import { manifestOf, passing, reference, writer } from '../support/manifests.js'
import { commitAll } from '../support/scratch-job.js'

type Scratch = {
  readonly folder: string
  readonly workdir: string
  readonly manifest: (content: object | string) => string
}

const scratch = (t: ExecutionContext): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-input-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const workdir = join(folder, 'work')
  mkdirSync(workdir)
  commitAll(workdir, { 'a.txt': 'a' })
  return {
    folder,
    workdir,
    manifest: (content) => {
      const path = join(folder, 'manifest.json')
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
  }
}

const good = manifestOf(writer('true'), passing)

/** It said why on stderr, nothing on stdout, and began nothing. */
const refusesWith = async (
  t: ExecutionContext,
  docket: Docket,
  args: ReadonlyArray<string>,
  code: number,
  ...says: ReadonlyArray<RegExp>
): Promise<void> => {
  const ended = await docket.run(...args)
  t.is(ended.code, code, ended.stderr)
  t.is(ended.stdout, '')
  for (const pattern of says) t.regex(ended.stderr, pattern)
  t.notRegex(ended.stderr, /\n\s+at /, 'no stack trace')
  const jobs = join(docket.home, 'jobs')
  t.deepEqual(existsSync(jobs) ? readdirSync(jobs) : [], [])
}

test('a manifest that is not there, or is no JSON, is told and begins nothing', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratch(t)
  await refusesWith(t, docket, ['run', 'nowhere.json', '--workdir', workdir], 2, /no manifest nowhere\.json/)
  await refusesWith(t, docket, ['run', manifest('{'), '--workdir', workdir], 2, /expected JSON/)
  await refusesWith(t, docket, ['run', manifest('{"a":1,"a":2}'), '--workdir', workdir], 2, /twice/)
  t.is(JSON.parse((await docket.run('list', '--json')).stdout).length, 0)
})

test('a manifest that breaks several rules has all of them named with their paths', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratch(t)
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

test('a folder to work in has to be there, and be the root of a Git checkout with a commit', async (t) => {
  const docket = await docketOn(t)
  const { manifest, folder, workdir } = scratch(t)
  const path = manifest(good)
  await refusesWith(t, docket, ['run', path, '--workdir', join(folder, 'no')], 2, /there is no folder/)
  await refusesWith(t, docket, ['run', path, '--workdir', path], 2, /there is no folder/)
  await refusesWith(t, docket, ['run', path, '--workdir', folder], 2, /not a Git repository/)
  mkdirSync(join(workdir, 'sub'))
  await refusesWith(
    t,
    docket,
    ['run', path, '--workdir', join(workdir, 'sub')],
    2,
    /lies inside the checkout/,
  )
  const empty = join(folder, 'empty')
  execFileSync('git', ['init', '--quiet', empty])
  await refusesWith(t, docket, ['run', path, '--workdir', empty], 2, /no commit yet/)
})

test("a checkout that holds Docket's home is refused", async (t) => {
  const docket = await docketOn(t)
  const { manifest } = scratch(t)
  commitAll(docket.home, {})
  await refusesWith(t, docket, ['run', manifest(good), '--workdir', docket.home], 2, /holds Docket's home/)
})

test('an agent or a program that is not there is told before anything begins', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratch(t)
  const agentless = manifest(manifestOf({ ...writer('{agent}'), agent: 'ghost' }))
  await refusesWith(t, docket, ['run', agentless, '--workdir', workdir], 2, /no agent ghost/)
  const programless = manifest(manifestOf(writer('no-such-program-here'), passing))
  await refusesWith(t, docket, ['run', programless, '--workdir', workdir], 6, /no-such-program-here/)
})

test('browsers that are not there are told with what to type, before anything begins', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir, folder } = scratch(t)
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

test('a command, an option or an argument that is not known is bad usage', async (t) => {
  const docket = await docketOn(t)
  const bad = [
    ['frobnicate'],
    ['show'],
    ['show', 'a', 'b'],
    ['list', '--frob'],
    ['run', 'm', '--id', 'Not An Id'],
    ['check', 'nothing'],
    ['check', 'reference', 'one'],
  ]
  for (const args of bad) await refusesWith(t, docket, args, 2, /./)
  const nothing = await docket.run()
  t.is(nothing.code, 2)
  t.regex(nothing.stderr, /Usage: docket/)
  t.is(nothing.stdout, '')
})

test('help and version are answers, on stdout', async (t) => {
  const docket = await docketOn(t)
  for (const args of [['--help'], ['run', '--help'], ['--version']]) {
    const { code, stdout, stderr } = await docket.run(...args)
    t.is(code, 0)
    t.true(stdout.length > 3)
    t.is(stderr, '')
  }
})

test('a job that does not exist is told by every command that names one', async (t) => {
  const docket = await docketOn(t)
  for (const args of [['show'], ['why'], ['log'], ['resume']]) {
    await refusesWith(t, docket, [...args, 'nosuchjob'], 2, /there is no job nosuchjob/)
    await refusesWith(t, docket, [...args, '@last'], 2, /there is no job yet/)
    await refusesWith(t, docket, [...args, '../x'], 2, /not the id of a job/)
  }
  await refusesWith(t, docket, ['at', 'nosuchjob', '-1'], 2, /there is no job nosuchjob/)
})

test('a database that does not answer is told in words', async (t) => {
  const docket = await docketOn(t)
  const { manifest, workdir } = scratch(t)
  for (const args of [['list'], ['run', manifest(good), '--workdir', workdir], ['verify']]) {
    const { code, stdout, stderr } = await docket.start(args, { DATABASE_URL: 'postgresql://127.0.0.1:1/x' })
      .ended
    t.is(code, 6)
    t.is(stdout, '')
    t.regex(stderr, /the database does not answer: .*ECONNREFUSED/)
    t.notRegex(stderr, /\n\s+at /)
  }
})

test('a check by hand passes, fails, or cannot run', async (t) => {
  const docket = await docketOn(t)
  const { folder } = scratch(t)
  const file = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }
  const decision = { id: 'a', question: 'q', spec: 's', choice: 'c', probe: null, sources: [] }
  const empty = file('empty.json', { format: 1, decisions: [] })
  const checked = (outcome: string): string =>
    file(`${outcome}.json`, {
      format: 1,
      decisions: [{ id: 'a', outcome, detail: 'the detail', fields: [] }],
    })
  const decisions = file('decisions.json', [decision])
  const passed = await docket.run('check', 'reference', checked('unchecked'), decisions)
  t.is(passed.code, 0)
  t.regex(passed.stdout, /reference passed[\s\S]*a \(q\) is unchecked/)
  t.is((await docket.run('check', 'reference', checked('disagrees'), decisions)).code, 1)
  t.is((await docket.run('check', 'reference', empty, decisions)).code, 1)
  t.is((await docket.run('check', 'reference', join(folder, 'none'), decisions)).code, 2)
  t.is((await docket.run('check', 'reference', empty, join(folder, 'none'))).code, 0)
})
