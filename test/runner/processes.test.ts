import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type ProcessSpec, runProcess } from '../../runner/run-process.js'

type Run = Partial<ProcessSpec> & { readonly source: string }

/** Runs Node.js source as a process of its own, marked so that whatever it leaves can be found. */
const run = async (t: ExecutionContext, { source, ...more }: Run) => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-process-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const mark = randomUUID()
  const file = (name: string): string => join(folder, name)
  writeFileSync(file('stdin'), 'the input')
  const ended = await runProcess({
    argv: [process.execPath, '-e', source],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', MARK: mark },
    stdin: file('stdin'),
    stdout: file('stdout'),
    stderr: file('stderr'),
    limit: null,
    interrupt: new AbortController().signal,
    hurry: new AbortController().signal,
    graceMs: 200,
    ...more,
  })
  return { ...ended, stdout: readFileSync(file('stdout'), 'utf8'), left: () => marked(mark) }
}

/** The processes that carry a mark in their environment, zombies left out. */
const marked = async (mark: string): Promise<number> => {
  for (let tries = 0; ; tries++) {
    const found = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && carries(pid, mark)).length
    if (found === 0 || tries === 20) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

const carries = (pid: string, mark: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
  } catch {
    return false
  }
}

test('a program reads its input, and its end is told as the system tells it', async (t) => {
  const good = await run(t, { source: 'process.stdin.pipe(process.stdout)' })
  t.is(good.stdout, 'the input')
  t.deepEqual(good.ending, { cause: 'exited', code: 0, signal: null, message: null })
  const bad = await run(t, { source: 'process.exit(7)' })
  t.is(bad.ending.code, 7)
  const killed = await run(t, { source: "process.kill(process.pid, 'SIGKILL')" })
  t.deepEqual(killed.ending, { cause: 'exited', code: null, signal: 'SIGKILL', message: null })
})

test('a program that is not there could not start', async (t) => {
  const { ending } = await run(t, { source: '', argv: ['/nowhere/program'] })
  t.is(ending.cause, 'could-not-start')
  t.regex(ending.message ?? '', /ENOENT/)
})

test('what Node.js itself throws at the start of a program is told like any other reason', async (t) => {
  const throughFile = await run(t, { source: '', argv: [join(process.execPath, 'program')] })
  t.deepEqual(
    { ...throughFile.ending, message: null },
    { cause: 'could-not-start', code: null, signal: null, message: null },
  )
  t.regex(throughFile.ending.message ?? '', /ENOTDIR/)
  const tooLong = await run(t, { source: '', argv: [process.execPath, 'x'.repeat(2 ** 23)] })
  t.is(tooLong.ending.cause, 'could-not-start')
  t.regex(tooLong.ending.message ?? '', /E2BIG/)
  const inFile = await run(t, { source: '', cwd: process.execPath })
  t.is(inFile.ending.cause, 'could-not-start')
  t.regex(inFile.ending.message ?? '', /ENOTDIR/)
})

test('a program that may not be run could not start', async (t) => {
  const { ending } = await run(t, { source: '', argv: ['/etc/passwd'] })
  t.is(ending.cause, 'could-not-start')
  t.regex(ending.message ?? '', /EACCES/)
})

test('a program that goes on for ever is ended at its limit, also when it ignores SIGTERM', async (t) => {
  const limit = { ms: 300, cause: 'timed-out' } as const
  const source = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  const { ending, left } = await run(t, { source, limit })
  t.is(ending.cause, 'timed-out')
  t.is(ending.signal, 'SIGKILL')
  t.is(await left(), 0)
})

test('a child that holds the output neither keeps the stage open nor lives on', async (t) => {
  const source = `
    require('node:child_process').spawn('sleep', ['30'], { stdio: 'inherit' })
    console.log('done')
    process.exit(0)`
  const { ending, durationMs, left } = await run(t, { source })
  t.is(ending.code, 0)
  t.true(durationMs < 5000)
  t.is(await left(), 0)
})

test('an interrupt ends it with the grace it needs to say a last word', async (t) => {
  const interrupt = new AbortController()
  const source =
    "process.on('SIGTERM', () => { console.log('bye'); process.exit(3) }); setInterval(() => {}, 1000)"
  setTimeout(() => interrupt.abort('SIGINT'), 300)
  const { ending, stdout } = await run(t, { source, interrupt: interrupt.signal, graceMs: 5000 })
  t.deepEqual(ending, { cause: 'interrupted', code: 3, signal: null, message: null })
  t.is(stdout, 'bye\n')
})

test('a second interrupt kills it at once', async (t) => {
  const [interrupt, hurry] = [new AbortController(), new AbortController()]
  const source = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  setTimeout(() => interrupt.abort('SIGINT'), 300)
  setTimeout(() => hurry.abort('SIGINT'), 500)
  const signals = { interrupt: interrupt.signal, hurry: hurry.signal, graceMs: 60_000 }
  const { ending, durationMs } = await run(t, { source, ...signals })
  t.is(ending.signal, 'SIGKILL')
  t.true(durationMs < 10_000)
})
