import { existsSync, readFileSync, statSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { makeCheckout, runNode, writeSource } from './scratch.js'

const build = (folder: string) => runNode(folder, 'scripts/build.mjs')

test('a deleted test leaves nothing that could still run', async (t) => {
  const folder = await makeCheckout(t, { 'test/kept.test.ts': 'export {}', 'test/gone.test.ts': 'export {}' })
  t.is((await build(folder)).code, 0)
  t.true(existsSync(join(folder, 'dist/test/gone.test.js')))
  await rm(join(folder, 'test/gone.test.ts'))
  t.is((await build(folder)).code, 0)
  t.false(existsSync(join(folder, 'dist/test/gone.test.js')))
  t.false(existsSync(join(folder, 'dist/test/gone.test.js.map')))
  t.true(existsSync(join(folder, 'dist/test/kept.test.js')))
})

test('nothing is done when nothing changed, and a lost output is made again', async (t) => {
  const folder = await makeCheckout(t, { 'domain/one.ts': 'export const one = 1' })
  t.regex((await build(folder)).stderr, /building/)
  t.deepEqual(await build(folder), { code: 0, stdout: '', stderr: '' })
  await rm(join(folder, 'dist/domain/one.js'))
  t.is((await build(folder)).code, 0)
  t.true(existsSync(join(folder, 'dist/domain/one.js')))
})

test('a type that does not check fails the build, again and again until it is mended', async (t) => {
  const folder = await makeCheckout(t, { 'domain/one.ts': 'export const one: string = 1' })
  t.not((await build(folder)).code, 0)
  const second = await build(folder)
  t.not(second.code, 0)
  t.regex(second.stderr, /domain\/one\.ts/)
  await writeSource(folder, 'domain/one.ts', "export const one: string = '1'")
  t.is((await build(folder)).code, 0)
})

test('a file that the code reads beside itself is there beside the compiled code', async (t) => {
  const folder = await makeCheckout(t, {
    'events/store/sql.ts':
      "import { readFileSync } from 'node:fs'\n" +
      "process.stdout.write(readFileSync(new URL('./append.sql', import.meta.url)))\n",
    'events/store/append.sql': 'select 1',
  })
  t.is((await build(folder)).code, 0)
  t.is((await runNode(folder, 'dist/events/store/sql.js')).stdout, 'select 1')
})

test('a copy of dist/tools runs with nothing around it', async (t) => {
  const folder = await makeCheckout(t, {
    'domain/greeting.ts':
      "import * as E from 'fp-ts/lib/Either.js'\nexport const greeting = E.right('hello')",
    'cli/tools/greet.ts':
      "import { greeting } from '../../domain/greeting.js'\nprocess.stdout.write(JSON.stringify(greeting))",
    'cli/tools/greet.sh': '#!/bin/sh\nexec node "$(dirname "$0")/greet.mjs"\n',
    'cli/tools/shared.ts': 'export const shared = 1',
  })
  t.is((await build(folder)).code, 0)
  const copy = join(folder, '..', 'copy')
  await cp(join(folder, 'dist', 'tools'), copy, { recursive: true })
  t.is((await runNode(copy, 'greet.mjs')).stdout, '{"_tag":"Right","right":"hello"}')
  t.is(statSync(join(copy, 'greet.sh')).mode & 0o777, 0o755)
  t.false(existsSync(join(copy, 'shared.mjs')))
})

test('the bundled command line does what the compiled one does, and loads a command only when it is called', async (t) => {
  const folder = await makeCheckout(t, {
    'cli/main.ts':
      "if (process.argv[2] === 'where') await import('./commands/where.js')\n" +
      "else process.stdout.write('no command')\n",
    'cli/commands/where.ts':
      "import { chromium } from 'playwright'\n" +
      "process.stdout.write(chromium.name() + ' ' + import.meta.url)\n",
  })
  t.is((await build(folder)).code, 0)
  const compiled = await runNode(folder, 'dist/cli/main.js', 'where')
  t.regex(compiled.stdout, /^chromium .*dist\/cli\/commands\/where\.js$/)
  t.deepEqual(await runNode(folder, 'dist/bundle/main.js', 'where'), compiled)
  t.is((await runNode(folder, 'dist/bundle/main.js')).stdout, 'no command')
  t.false(readFileSync(join(folder, 'dist/bundle/main.js'), 'utf8').includes('playwright'))
})
