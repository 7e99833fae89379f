import test, { type ExecutionContext } from 'ava'
import type { OpenedStore } from '../../events/store/open-store.js'
import { asOwner, freshLedger } from '../support/ledger.js'
import { appendAndSay } from './append-and-say.js'
import { checkJournal, type Fault } from './check-journal.js'
import { emptyJournal, enter, type Journal } from './journal.js'
import type { Tried } from './said.js'

const commands: ReadonlyArray<Tried> = [
  { commandId: 'one', stream: 'own-a', expected: 'none', events: 3 },
  { commandId: 'two', stream: 'shared', expected: 'any', events: 1 },
  { commandId: 'three', stream: 'own-a', expected: 3, events: 2 },
  { commandId: 'four', stream: 'shared', expected: 9, events: 1 },
]

const written = async (store: OpenedStore): Promise<Journal> => {
  const journal = emptyJournal()
  for (const tried of commands) {
    enter(journal, { tag: 'tried', tried })
    enter(journal, await appendAndSay(store, tried))
  }
  return journal
}

const check = async (
  t: ExecutionContext,
  doctor: (journal: Journal) => string,
): Promise<ReadonlyArray<Fault['kind']>> => {
  const { store, url } = await freshLedger(t)
  const journal = await written(store)
  t.deepEqual(await checkJournal(store, journal), [])
  const statement = doctor(journal)
  await asOwner(url, async (client) => {
    await client.query("set search_path = docket; set session_replication_role = 'replica'")
    await client.query(statement)
  })
  return (await checkJournal(store, journal)).map(({ kind }) => kind)
}

const doctored: ReadonlyArray<readonly [string, string, ReadonlyArray<Fault['kind']>]> = [
  ['the last command is gone', 'delete from events where position > 4', ['lost', 'gap']],
  ['an event is gone from the middle', 'delete from events where position = 4', ['lost', 'gap']],
  ['half of a command is gone', 'delete from events where position = 6', ['torn', 'moved', 'gap']],
  [
    'a command is there twice',
    `insert into events select 7, stream, 6, type, schema_version, at, actor, causation_id, correlation_id, body,
      event_hash, hash from events where position = 6; update head set position = 7`,
    ['doubled', 'moved'],
  ],
  [
    'an event holds another place of its command',
    'update events set body = (select body from events where position = 1) where position = 2',
    ['changed'],
  ],
  ['a version is left out', 'update events set version = 9 where position = 6', ['out-of-turn']],
  ['a command moved', "update events set version = 5 where position = 4 and stream = 'shared'", ['moved']],
  [
    'there is an event that nobody tried',
    `update events set body = convert_to(replace(convert_from(body, 'UTF8'), '"causationId":"two"',
      '"causationId":"five"'), 'UTF8') where position = 4`,
    ['unasked', 'lost'],
  ],
]

for (const [what, statement, kinds] of doctored) {
  test(`the check sees that ${what}`, async (t) => {
    const found = await check(t, () => statement)
    for (const kind of kinds) t.true(found.includes(kind), `${kind} is not among ${found.join(', ')}`)
  })
}

test('the check sees that a refused command is there', async (t) => {
  const found = await check(t, (journal) => {
    journal.refused.set('two', 'version-conflict')
    return 'select 1'
  })
  t.deepEqual(found, ['unasked'])
})

test('the check sees that a command was refused that only its writer could stand against', async (t) => {
  const found = await check(t, (journal) => {
    enter(journal, {
      tag: 'tried',
      tried: { commandId: 'six', stream: 'own-b', expected: 'none', events: 1 },
    })
    enter(journal, { tag: 'refused', commandId: 'six', why: 'version-conflict' })
    return 'select 1'
  })
  t.deepEqual(found, ['wronged'])
})
