import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { openStore } from '../../events/store/open-store.js'
import { type Docket, docketOn } from '../support/docket.js'
import { interleavedJobs } from '../support/exports.js'
import { asOwner } from '../support/ledger.js'
import { manifestOf, passing, script, writer } from '../support/manifests.js'
import { scratchCheckout } from '../support/scratch-checkout.js'

const ranWith = async (t: ExecutionContext, docket: Docket, hook: string) => {
  const { workdir, manifest } = scratchCheckout(t)
  const path = manifest(manifestOf(writer('true'), script('test', 'true'), passing))
  return docket.start(['run', path, '--workdir', workdir, '--json'], { DOCKET_HEAD_HOOK: hook }).ended
}

test('the head goes to the hook when a job has ended, and holds for the ledger', async (t) => {
  const docket = await docketOn(t)
  const heads = join(docket.home, 'heads')
  const { code, stdout, stderr } = await ranWith(
    t,
    docket,
    `{ cat; echo "$DOCKET_JOB"; } >> '${heads}'; echo sent`,
  )
  t.is(code, 0, stderr)
  const { job } = JSON.parse(stdout) as { job: string }
  const [head = '', named] = readFileSync(heads, 'utf8').trim().split('\n')
  t.is(named, job)
  t.is(`${head}\n`, (await docket.run('head')).stdout)
  t.is((await docket.run('verify', '--against', head)).code, 0)
  t.is((await docket.run('verify', job, '--against', head)).code, 0)
})

test('a hook that fails is told, and the job ends as it did', async (t) => {
  const docket = await docketOn(t)
  const { code, stderr } = await ranWith(t, docket, 'exit 9')
  t.is(code, 0)
  t.regex(stderr, /the head was not sent: DOCKET_HEAD_HOOK ended with exit code 9/)
})

test('one job is verified alone, and what was changed in it is named by position', async (t) => {
  const docket = await docketOn(t)
  const store = await openStore({ env: docket.env })
  t.teardown(() => store.close())
  await interleavedJobs(store, 'one', 'two')
  const whole = await docket.run('verify', 'one')
  t.is(whole.code, 0, whole.stdout)
  t.regex(whole.stdout, /^job one: \d+ events and 1 artifacts, linked to position \d+/)
  const changes: ReadonlyArray<readonly [string, RegExp]> = [
    ["update events set at = at + 1 where stream = 'job-one' and version = 3", /position 3/],
    ["update projection_rows set body = 'x'::bytea where key = 'one'", /read model job-summaries/],
    ["update events set actor = 'else' where position = 2", /position 2.*column/],
    [
      "update events set actor = 'test' where position = 2; update events set body = 'x'::bytea where position = 4",
      /position 4.*not those/,
    ],
  ]
  for (const [statement, told] of changes) {
    await asOwner(docket.env.DATABASE_URL ?? '', async (client) => {
      await client.query("set search_path = docket; set session_replication_role = 'replica'")
      await client.query(statement)
    })
    const changed = await docket.run('verify', 'one')
    t.is(changed.code, 1, statement)
    t.regex(changed.stdout, told)
  }
  t.is((await docket.run('verify', 'none')).code, 2)
  t.is((await docket.run('verify', 'one', '--export', 'x')).code, 2)
  t.false(existsSync(join(docket.home, 'x')))
})
