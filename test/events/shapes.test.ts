import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { describeShape } from '../../events/describe-shape.js'
import { eventDefinitions } from '../../events/docket-event.js'
import { root } from '../support/scratch-job.js'

const kept = JSON.parse(readFileSync(join(root, 'fixtures', 'events', 'shapes.json'), 'utf8')) as Record<
  string,
  string
>

for (const [type, { schemaVersion, data }] of Object.entries(eventDefinitions)) {
  test(`${type} has the shape that its version has always had`, (t) => {
    t.is(
      kept[`${type}@${schemaVersion}`],
      describeShape(data),
      'events of this version are in ledgers: give a new shape a new version, a reader of the old one, and run npm run docs',
    )
  })
}

test('the event reference says what the codecs say', async (t) => {
  const { eventsReference } = (await import(join(root, 'scripts', 'events-reference.mjs'))) as {
    readonly eventsReference: () => Promise<string>
  }
  t.is(readFileSync(join(root, 'docs', 'events.md'), 'utf8'), await eventsReference(), 'run npm run docs')
})
