import { createHash, randomBytes } from 'node:crypto'
import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import type { AppendRequest } from '../../../events/envelope.js'
import type { OpenedStore } from '../../../events/store/open-store.js'
import { importLedger } from '../../../events/transfer/import-ledger.js'
import { listJobs } from '../../../projections/list-jobs.js'
import { verifyExport } from '../../../projections/verify-export.js'
import { verifyLedger } from '../../../projections/verify-ledger.js'
import { altered, interleavedJobs, ledgerLines, streamOf } from '../../support/exports.js'
import { artifactBytes } from '../../support/job-events.js'
import { freshLedger } from '../../support/ledger.js'

const ledgerOf = (store: OpenedStore) => ({ store, db: store.db })

const odd: AppendRequest = {
  stream: 'odd',
  expected: 'none',
  events: [
    { type: 'Odd', schemaVersion: 3, data: { text: '\u2028\u2029\0 "\\', '10': 1, '9': [1e21, 1e-7] } },
  ],
  actor: 'somebody',
  commandId: 'odd-1',
  correlationId: 'odd',
  claims: 1,
}

const rows = async (store: OpenedStore): Promise<ReadonlyArray<string>> => {
  await listJobs(ledgerOf(store))
  const all = await store.db.selectFrom('projection_rows').select(['key', 'body']).orderBy('key').execute()
  return all.map(({ key, body }) => `${key} ${body.toString('hex')}`)
}

test('a ledger that is imported into an empty one is the same: hashes, bytes, claims, commands, read models', async (t) => {
  const { store } = await freshLedger(t)
  await interleavedJobs(store, 'one', 'two')
  const large = randomBytes(2_500_000)
  const { sha256 } = await store.putArtifact(large)
  await store.putArtifact(Buffer.alloc(0))
  const before = await rows(store)
  const lines = await ledgerLines(store)

  const { store: other } = await freshLedger(t)
  // What is kept there already is no event.
  await other.putArtifact(artifactBytes)
  const imported = await importLedger(other.db, streamOf(lines))
  t.deepEqual(await other.head(), await store.head())
  t.is(imported.position, (await store.head()).position)
  t.deepEqual(await ledgerLines(other), lines)
  t.deepEqual(await rows(other), before)
  t.deepEqual(await other.readAll(0, 1000), await store.readAll(0, 1000))
  t.deepEqual((await verifyLedger(ledgerOf(other), () => {})).differences, [])
  t.is(
    createHash('sha256')
      .update((await other.getArtifact(sha256)) ?? Buffer.alloc(0))
      .digest('hex'),
    sha256,
  )

  // It goes on as the other one would: what is appended to both gives the same links but for the time.
  const appended = await other.append({ ...odd, stream: 'later', commandId: 'later' })
  t.true(E.isRight(appended) && appended.right.firstPosition === imported.position + 1)
})

test('what no other text survives, claims and commands come over', async (t) => {
  const { store } = await freshLedger(t)
  const first = await store.append(odd)
  const lines = await ledgerLines(store)
  t.deepEqual((await verifyExport(streamOf(lines))).header.position, 1)
  const { store: other } = await freshLedger(t)
  await importLedger(other.db, streamOf(lines))
  t.deepEqual(await other.readStream('odd'), await store.readStream('odd'))
  t.true(E.isRight(first))
  const again = await other.append(odd)
  t.deepEqual(again, E.isRight(first) ? E.right({ ...first.right, repeated: true }) : first)
  const stale = await other.append({ ...odd, commandId: 'stale', expected: 'any' })
  t.is(E.isLeft(stale) && stale.left.tag, 'stale-epoch')
  const reused = await other
    .append({ ...odd, events: [] as AppendRequest['events'], stream: 'another' })
    .catch(() => null)
  t.true(reused === null || E.isLeft(reused))
})

test('an empty ledger goes over and back', async (t) => {
  const { store } = await freshLedger(t)
  const lines = await ledgerLines(store)
  t.is(lines.length, 2)
  const { store: other } = await freshLedger(t)
  await importLedger(other.db, streamOf(lines))
  t.deepEqual(await other.head(), await store.head())
})

test('a ledger with events takes no other', async (t) => {
  const { store } = await freshLedger(t)
  await store.append(odd)
  const lines = await ledgerLines(store)
  const before = await store.head()
  await t.throwsAsync(importLedger(store.db, streamOf(lines)), { name: 'CannotImport', message: /empty one/ })
  t.deepEqual(await store.head(), before)
})

test('an export that was cut anywhere is refused, and leaves the ledger empty', async (t) => {
  const { store } = await freshLedger(t)
  await interleavedJobs(store, 'one')
  const lines = await ledgerLines(store)
  const { store: other } = await freshLedger(t)
  const empty = await other.head()
  for (let length = 0; length < lines.length; length += 3) {
    await t.throwsAsync(importLedger(other.db, streamOf(lines.slice(0, length))), { name: 'BadExport' })
  }
  const half = lines.map((line, n) => (n === lines.length - 1 ? line.slice(0, 40) : line))
  await t.throwsAsync(importLedger(other.db, streamOf(half)), { name: 'BadExport', message: /no JSON/ })
  t.deepEqual(await other.head(), empty)
  t.deepEqual(await other.readAll(0, 10), [])
  await importLedger(other.db, streamOf(lines))
  t.deepEqual(await other.head(), await store.head())
})

const tamperings: ReadonlyArray<readonly [string, (line: string, number: number) => string]> = [
  ['a changed payload', (line) => line.replace('"round":2', '"round":3')],
  ['a changed place', (line) => line.replace('"version":3,', '"version":4,')],
  ['a changed time', (line) => line.replace('"at":1', '"at":2')],
  ['a changed actor', (line) => line.replace('"actor":"test"', '"actor":"nobody"')],
  ['a head that was moved', (line, n) => (n === 0 ? line.replace(/"position":\d+/, '"position":7') : line)],
  ['another head', (line, n) => (n === 0 ? line.replace(/"hash":"../, '"hash":"00') : line)],
  ['another ledger', (line, n) => (n === 0 ? line.replace(/"ledger":"./, '"ledger":"g') : line)],
  ['changed bytes of an artifact', (line) => line.replace(/"bytes":"../, '"bytes":"AA')],
  [
    'an artifact under another name',
    (line) => line.replace(/"artifact","sha256":"../, '"artifact","sha256":"00'),
  ],
]

for (const [what, alter] of tamperings) {
  test(`${what} is named by the verification of an export, and is not imported`, async (t) => {
    const { store } = await freshLedger(t)
    await interleavedJobs(store, 'one', 'two')
    const lines = await ledgerLines(store)
    t.deepEqual((await verifyExport(streamOf(lines))).differences, [])
    const changed = altered(lines, alter)
    t.notDeepEqual(changed, lines)
    const { differences } = await verifyExport(streamOf(changed))
    t.true(differences.length > 0)
    const { store: other } = await freshLedger(t)
    await t.throwsAsync(importLedger(other.db, streamOf(changed)), { name: 'BadExport' })
    t.is((await other.head()).position, 0)
  })
}

test('a line that was lost, doubled or moved is found, whoever hashed the rest again', async (t) => {
  const { store } = await freshLedger(t)
  await interleavedJobs(store, 'one')
  const lines = await ledgerLines(store)
  const event = lines.findIndex((line) => line.includes('"position":9'))
  const without = lines.filter((_, n) => n !== event)
  const twice = lines.flatMap((line, n) => (n === event ? [line, line] : [line]))
  const swapped = lines.map(
    (line, n) => (n === event ? lines[n + 1] : n === event + 1 ? lines[n - 1] : line) ?? '',
  )
  const wrong = async (changed: ReadonlyArray<string>): Promise<boolean> => {
    const counted = changed.map((line, n) =>
      n === changed.length - 1
        ? line.replace(
            /"events":\d+/,
            `"events":${changed.filter((one) => one.includes('"line":"event"')).length}`,
          )
        : line,
    )
    const hashed = altered(counted, (line) => line)
    return (await verifyExport(streamOf(hashed))).differences.length > 0
  }
  for (const changed of [without, twice, swapped]) t.true(await wrong(changed))
})

test('an export beside appends is whole as of where it began', async (t) => {
  const { store, another } = await freshLedger(t)
  await interleavedJobs(store, 'one')
  const writer = await another()
  let done = false
  const writing = (async () => {
    for (let n = 0; !done; n++) await interleavedJobs(writer, `more${n}`)
  })()
  for (let n = 0; n < 3; n++) {
    const { differences } = await verifyExport(streamOf(await ledgerLines(store)))
    t.deepEqual(differences, [])
  }
  done = true
  await writing
})
