import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type OpenedStore, openStore } from '../../events/store/open-store.js'
import { type Docket, docketOn } from '../support/docket.js'
import { interleavedJobs } from '../support/exports.js'
import { asOwner, freshDatabase } from '../support/ledger.js'
import { root } from '../support/scratch-job.js'

/** A docket whose ledger holds some jobs. */
const filled = async (t: ExecutionContext, ...jobs: ReadonlyArray<string>): Promise<Docket> => {
  const docket = await docketOn(t)
  await using(docket, (store) => interleavedJobs(store, ...jobs))
  return docket
}

const using = async <A>(docket: Docket, use: (store: OpenedStore) => Promise<A>): Promise<A> => {
  const store = await openStore({ env: docket.env })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

test('a ledger goes to a file and into an empty ledger, and every command reads the same there', async (t) => {
  const docket = await filled(t, 'one', 'two')
  const file = join(docket.home, 'all.jsonl')
  const exported = await docket.run('export', '--out', file)
  t.is(exported.code, 0, exported.stderr)
  t.regex(exported.stderr, /^exported \d+ events and 1 artifacts, at position \d+, head [0-9a-f]{64}\n$/)
  const piped = await docket.run('export')
  t.is(piped.stdout, readFileSync(file, 'utf8'))
  t.is((await docket.run('verify', '--export', file)).code, 0)

  const other = await docketOn(t)
  const imported = await other.run('import', file)
  t.is(imported.code, 0, imported.stderr)
  for (const args of [
    ['head'],
    ['list'],
    ['show', 'one'],
    ['log', 'two'],
    ['why', 'one'],
    ['at', 'one', '-3'],
  ]) {
    const here = await docket.run(...args)
    t.is(here.code, 0, here.stderr)
    t.is((await other.run(...args)).stdout, here.stdout, args.join(' '))
  }
  t.is((await other.run('verify')).code, 0)
  const again = await other.run('import', file)
  t.is(again.code, 3)
  t.regex(again.stderr, /imported into an empty one/)
})

test('a job goes to another ledger, is shown as imported, and does not go on there', async (t) => {
  const docket = await filled(t, 'one', 'two')
  const file = join(docket.home, 'one.jsonl')
  t.is((await docket.run('export', 'one', '-o', file)).code, 0)
  const head = (await docket.run('head')).stdout.trim()
  t.is((await docket.run('verify', '--export', file, '--against', head)).code, 0)

  const other = await filled(t, 'three')
  const imported = await other.run('import', file)
  t.is(imported.code, 0, imported.stderr)
  t.is((await other.run('import', file)).code, 0)
  const list = JSON.parse((await other.run('list', '--json')).stdout) as ReadonlyArray<{
    readonly job: string
    readonly status: string
    readonly importedFrom: string | null
  }>
  const [, , ledger = ''] = head.split(' ')
  const brief = list.map(({ job, status, importedFrom }) => [job, status, importedFrom])
  t.deepEqual(brief.sort(), [
    ['one', 'accepted', ledger],
    ['three', 'accepted', null],
  ])
  t.regex((await other.run('list')).stdout, new RegExp(`imported from ${ledger}`))
  const shown = await other.run('show', 'one')
  t.regex(shown.stdout, new RegExp(`imported +from ledger ${ledger}`))
  t.regex(shown.stderr, /job one was imported from ledger/)
  t.is((await other.run('log', 'one')).stdout, (await docket.run('log', 'one')).stdout)
  t.is((await other.run('why', 'one')).stdout, (await docket.run('why', 'one')).stdout)
  const document = JSON.parse((await other.run('show', 'one', '--json')).stdout) as { importedFrom: string }
  t.is(document.importedFrom, ledger)
  t.is((await other.run('resume', 'one')).code, 7)
  t.is((await other.run('export', 'one')).code, 3)
  t.is((await other.run('verify')).code, 0)

  const back = await docket.run('import', file)
  t.is(back.code, 3)
  t.regex(back.stderr, /has job one already/)
})

test('a job is held against a head that was kept, and a changed one is told', async (t) => {
  const docket = await filled(t, 'one')
  const early = (await docket.run('head')).stdout.trim()
  await using(docket, (store) => interleavedJobs(store, 'two'))
  const proven = join(docket.home, 'proven.jsonl')
  const bare = join(docket.home, 'bare.jsonl')
  await docket.run('export', 'two', '-o', proven)
  await docket.run('export', 'two', '--no-proof', '-o', bare)
  const before = await docket.run('verify', '--export', proven, '--against', early)
  t.is(before.code, 0, before.stdout)
  const late = (await docket.run('head')).stdout.trim()
  const unproven = await docket.run('verify', '--export', bare, '--against', late)
  t.is(unproven.code, 0, unproven.stdout)
  await using(docket, (store) => interleavedJobs(store, 'three'))
  const later = (await docket.run('head')).stdout.trim()
  for (const file of [proven, bare]) {
    const beyond = await docket.run('verify', '--export', file, '--against', later)
    t.is(beyond.code, 1)
    t.regex(beyond.stdout, /taken before/)
  }
  const other = await filled(t, 'four')
  const foreign = (await other.run('head')).stdout.trim()
  t.regex((await docket.run('verify', '--export', proven, '--against', foreign)).stdout, /another ledger/)
  const lines = readFileSync(proven, 'utf8').replace('"actor":"test"', '"actor":"else"')
  writeFileSync(proven, lines)
  const changed = await docket.run('verify', '--export', proven)
  t.is(changed.code, 1)
})

test('an export is imported from a pipe, as from a file', async (t) => {
  const docket = await filled(t, 'one')
  const other = await docketOn(t)
  const main = join(root, 'cli', 'docket.mjs')
  for (const args of ['export', 'export one --no-proof']) {
    const there = args === 'export' ? other : await docketOn(t)
    const command = `DATABASE_URL="$FROM" "${process.execPath}" "${main}" ${args} | "${process.execPath}" "${main}" import -`
    const shell = spawn('sh', ['-c', command], { env: { ...there.env, FROM: docket.env.DATABASE_URL } })
    t.is(await new Promise((resolve) => shell.once('close', resolve)), 0, args)
    t.regex((await there.run('list')).stdout, /^one /m)
  }
})

test('bad input is told, and nothing is left of it', async (t) => {
  const docket = await filled(t, 'one')
  const at = (name: string): string => join(docket.home, name)
  writeFileSync(at('text'), 'hello\n')
  writeFileSync(at('empty'), '')
  writeFileSync(at('binary'), Buffer.from([0xff, 0xfe, 0x0a]))
  const cases: ReadonlyArray<readonly [number, RegExp, ReadonlyArray<string>]> = [
    [1, /text is not imported, and nothing is changed: line 1: it is no JSON/, ['import', at('text')]],
    [1, /it is empty/, ['import', at('empty')]],
    [1, /it is not in UTF-8/, ['import', at('binary')]],
    [2, /nowhere cannot be read/, ['import', at('nowhere')]],
    [1, /text: line 1: it is no JSON/, ['verify', '--export', at('text')]],
    [2, /nowhere cannot be read/, ['verify', '--export', at('nowhere')]],
    [2, /cannot be written/, ['export', '--out', at('no/such/folder')]],
    [2, /there is no job none/, ['export', 'none', '--out', at('none')]],
    [2, /"A" is no name for a ledger/, ['list', '--ledger', 'A']],
    [2, /keeps it for itself/, ['list', '--ledger', 'pg_mine']],
    [6, /there is no ledger other: docket run makes one; there are: docket/, ['list', '--ledger', 'other']],
  ]
  for (const [code, message, args] of cases) {
    const ended = await docket.run(...args)
    t.is(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
    t.regex(ended.stderr, message)
    t.is(ended.stdout, '')
  }
  t.deepEqual(
    readdirSync(docket.home).filter((name) => name.endsWith('.part')),
    [],
  )
  t.false(existsSync(at('none')))
})

test('who stops reading an export ends it quietly', async (t) => {
  const docket = await filled(t, 'one', 'two', 'three')
  const shell = spawn(
    'sh',
    [
      '-c',
      `"${process.execPath}" "${join(root, 'cli', 'docket.mjs')}" export 2>errors | head -1; cat errors`,
    ],
    { env: docket.env, cwd: docket.home },
  )
  let out = ''
  shell.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString('utf8')
  })
  t.is(await new Promise((resolve) => shell.once('close', resolve)), 0)
  t.is(out.split('\n').filter((line) => line.startsWith('{"line":"header"')).length, 1)
  t.false(out.includes('bug'))
})

test('an import that is killed leaves an empty ledger, into which the same goes', async (t) => {
  const docket = await filled(t, 'one', 'two')
  const file = join(docket.home, 'all.jsonl')
  await docket.run('export', '-o', file)
  const other: Docket = await docketOn(t)
  const store = await openStore({ env: other.env })
  t.teardown(() => store.close())
  // What it derives last waits for us, so that everything else is inserted when it is killed.
  await asOwner(other.env.DATABASE_URL ?? '', async (owner) => {
    await owner.query('begin; lock table docket.streams in access exclusive mode')
    const importing = other.start(['import', file])
    const waits = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`
    const isWaiting = async (): Promise<boolean> => {
      // A transaction sees the activity as it was when it first looked.
      await owner.query('select pg_stat_clear_snapshot()')
      return (await owner.query(waits)).rows.length > 0
    }
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 20))
    importing.kill('SIGKILL')
    t.is((await importing.ended).signal, 'SIGKILL')
    await owner.query('rollback')
  })
  t.is((await store.head()).position, 0)
  t.is((await other.run('import', file)).code, 0)
  t.is((await other.run('verify')).code, 0)
})

test('ledgers of one server share nothing, and each command names the one that it means', async (t) => {
  const url = await freshDatabase(t)
  const docket = await filled(t, 'one')
  const file = join(docket.home, 'all.jsonl')
  await docket.run('export', '-o', file)
  const shared = { ...docket, env: { ...docket.env, DATABASE_URL: url } }
  const run = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}) =>
    shared.start(args, { DATABASE_URL: url, ...env }).ended
  t.is((await run(['import', file, '--ledger', 'team_a'])).code, 0)
  t.is((await run(['list'])).stdout, '')
  t.regex((await run(['list', '--ledger', 'team_a'])).stdout, /^one /m)
  t.regex((await run(['list'], { DOCKET_LEDGER: 'team_a' })).stdout, /^one /m)
  t.is((await run(['list', '--ledger', 'docket'], { DOCKET_LEDGER: 'team_a' })).stdout, '')
  const heads = await Promise.all([run(['head']), run(['head', '--ledger', 'team_a'])])
  t.not(heads[0].stdout, heads[1].stdout)
  t.is((await run(['verify', '--ledger', 'team_a'])).code, 0)
})
