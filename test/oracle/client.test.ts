import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { describeOracleFailure } from '../../oracle/client/oracle-failure.js'
import { type AskOptions, askOracle, type OracleAnswers, type OracleQuestion } from '../../oracle/client.js'

const stub = (name: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  join('fixtures', 'reference-check', name),
  ...args,
]

const question = (id: string): OracleQuestion => ({
  id,
  probe: { html: '<div></div>', expect: [{ node: 2, field: 'bounding.w', value: 100 }] },
})

const ask = (ids: ReadonlyArray<string>, options: AskOptions) => askOracle(ids.map(question), options)()

const answered = async (ids: ReadonlyArray<string>, options: AskOptions): Promise<OracleAnswers> => {
  const asked = await ask(ids, options)
  if (E.isLeft(asked)) throw new Error(describeOracleFailure(asked.left))
  return asked.right
}

test('each question gets the answers to its own id', async (t) => {
  const { answers, replies, versions, description } = await answered(['all-agree', 'all-differ'], {
    command: stub('stub-oracle.mjs'),
  })
  t.deepEqual(answers.get('all-agree')?.engines.webkit.values, [100])
  t.deepEqual(answers.get('all-differ')?.engines.webkit.values, [110])
  t.is(Object.keys(replies.get('all-differ')?.dumps ?? {}).length, 3)
  t.deepEqual(versions, { chromium: 'unknown', firefox: 'unknown', webkit: 'unknown' })
  t.is(description, null)
})

test('a command line runs by sh', async (t) => {
  const { answers } = await answered(['all-agree'], {
    command: 'cd fixtures/reference-check && exec node stub-oracle.mjs',
  })
  t.is(answers.size, 1)
})

test('no questions start no oracle', async (t) => {
  t.is((await answered([], { command: ['/nowhere/oracle'] })).answers.size, 0)
})

test('an oracle that describes itself gives the versions', async (t) => {
  const { answers, versions } = await answered(['a'], { command: stub('describing-oracle.mjs') })
  t.deepEqual(versions, { chromium: '1.0', firefox: '2.0', webkit: '3.0' })
  t.like(answers.get('a')?.engines.firefox, { version: '2.0', error: 'not a page' })
})

test('lines that answer nothing are passed over and counted', async (t) => {
  const { answers, stray } = await answered(['all-agree', 'all-differ'], {
    command: stub('noisy-oracle.mjs'),
  })
  t.is(answers.get('all-agree')?.engines.chromium.error, null)
  t.true(stray.notJson >= 3)
  t.true(stray.unknown >= 3)
  t.true(stray.repeated >= 1)
})

test('an oracle that reads all of its input first is told that there is no more', async (t) => {
  const { answers } = await answered(['all-agree', 'close'], {
    command: stub('patient-oracle.mjs'),
    silenceMs: 4000,
  })
  t.is(answers.size, 2)
})

test('a program that is not there could not start', async (t) => {
  const asked = await ask(['a'], { command: ['/nowhere/oracle'] })
  t.true(E.isLeft(asked) && asked.left.tag === 'could-not-start')
})

test('an oracle that exits at once is told by its exit code and what it said', async (t) => {
  t.deepEqual(
    await ask(['a', 'b'], { command: stub('exits-at-once.mjs') }),
    E.left({ tag: 'exited-early', code: 3, signal: null, stderr: 'no browsers here\n', unanswered: 2 }),
  )
})

test('more input than an oracle takes before it exits is no error of its own', async (t) => {
  const big: OracleQuestion = { ...question('a'), probe: { html: 'x'.repeat(900_000), expect: [] } }
  const asked = await askOracle([big], { command: 'exit 4' })()
  t.true(E.isLeft(asked) && asked.left.tag === 'exited-early' && asked.left.code === 4)
})

test('an oracle that stays silent is ended, with all that it started', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-client-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const pids = join(folder, 'pids')
  const asked = await ask(['a'], {
    command: stub('stubborn-oracle.mjs', pids),
    silenceMs: 1500,
    graceMs: 200,
  })
  t.like(E.isLeft(asked) ? asked.left : {}, { tag: 'timed-out', after: 'silence', unanswered: 1 })
  const started: ReadonlyArray<number> = JSON.parse(await readFile(pids, 'utf8'))
  t.is(started.length, 2)
  for (const pid of started) t.true(await isGone(pid))
})

test('the time for everything is bounded even when lines keep coming', async (t) => {
  const asked = await ask(['a'], {
    command: 'while :; do echo; echo x; sleep 0.1; done',
    totalMs: 700,
    graceMs: 200,
  })
  t.like(E.isLeft(asked) ? asked.left : {}, { tag: 'timed-out', after: 'total', milliseconds: 700 })
})

test('a line without end is not kept', async (t) => {
  const asked = await ask(['a'], { command: "tr '\\0' x < /dev/zero", maxLineBytes: 100_000, graceMs: 200 })
  t.deepEqual(asked, E.left({ tag: 'line-too-long', maxBytes: 100_000 }))
})

test('whoever asked can stop it', async (t) => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  const asked = await ask(['a'], { command: 'sleep 60', signal: stop.signal, graceMs: 200 })
  t.deepEqual(asked, E.left({ tag: 'aborted' }))
})

/** A killed process whose parent is gone is there until it is reaped. */
const isGone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      process.kill(pid, 0)
      const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      if (/\) Z /.test(status)) return true
    } catch {
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
