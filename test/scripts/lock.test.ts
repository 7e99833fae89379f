import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { importScript } from './scratch.js'

const { withLock }: { withLock: <T>(work: () => Promise<T>, file: string) => Promise<T> } =
  await importScript('lib/lock.mjs')

const lockFile = async (t: ExecutionContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-lock-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'lock')
}

test('two at once take turns', async (t) => {
  const file = await lockFile(t)
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await sleep(50)
    order.push(`${name} ends`)
  }
  await Promise.all([withLock(work('one'), file), withLock(work('two'), file)])
  t.deepEqual(order, ['one begins', 'one ends', 'two begins', 'two ends'])
  t.false(existsSync(file))
})

test('the lock of a process that is gone is taken over', async (t) => {
  const file = await lockFile(t)
  await writeFile(file, '2147483646 1')
  t.is(await withLock(async () => 'done', file), 'done')
})

test('the lock of an earlier process with the same number is taken over', async (t) => {
  const file = await lockFile(t)
  await writeFile(file, `${process.ppid} 1`)
  t.is(await withLock(async () => 'done', file), 'done')
})

test('work that fails gives the lock back', async (t) => {
  const file = await lockFile(t)
  await t.throwsAsync(
    withLock(() => Promise.reject(new Error('no')), file),
    { message: 'no' },
  )
  t.false(existsSync(file))
})
