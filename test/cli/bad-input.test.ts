import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { docketOn } from '../support/docket.js'
import { manifestOf, passing, writer } from '../support/manifests.js'
import { refusesWith } from '../support/refuses-with.js'
import { scratchCheckout } from '../support/scratch-checkout.js'
import { commitAll } from '../support/scratch-job.js'

const good = manifestOf(writer('true'), passing)

test('a folder to work in has to be there, and be the root of a Git checkout with a commit', async (t) => {
  const docket = await docketOn(t)
  const { manifest, folder, workdir } = scratchCheckout(t)
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
  const { manifest } = scratchCheckout(t)
  commitAll(docket.home, {})
  await refusesWith(t, docket, ['run', manifest(good), '--workdir', docket.home], 2, /holds Docket's home/)
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
  const { manifest, workdir } = scratchCheckout(t)
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
  const { folder } = scratchCheckout(t)
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
