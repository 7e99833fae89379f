import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './lib/root.mjs'
import { writeSchema } from './lib/schema.mjs'

const page = join(root, 'docs', 'events.md')
const shapesFile = join(root, 'fixtures', 'events', 'shapes.json')

/** `docs/events.md` as the codecs and their docstrings have it now. */
export async function eventsReference() {
  const { eventDefinitions } = await import('../dist/events/docket-event.js')
  const { describeShape } = await import('../dist/events/describe-shape.js')
  const sections = Object.entries(eventDefinitions).map(([type, definition]) => {
    const props = definition.data.type.props
    const rows = Object.entries(props).map(([name, codec]) => `- \`${name}\`: ${code(describeShape(codec))}`)
    return [`## ${type}`, '', docOf(type), '', `Version ${definition.schemaVersion}.`, '', ...rows, ''].join(
      '\n',
    )
  })
  return `${heading}${sections.join('\n')}`
}

/** The shape of every version that is current, by `type@version`. */
export async function currentShapes() {
  const { eventDefinitions } = await import('../dist/events/docket-event.js')
  const { describeShape } = await import('../dist/events/describe-shape.js')
  return Object.fromEntries(
    Object.entries(eventDefinitions).map(([type, { schemaVersion, data }]) => [
      `${type}@${schemaVersion}`,
      describeShape(data),
    ]),
  )
}

const heading = `# Events

Written by \`npm run docs\` from the codecs; do not edit.

Every event also has \`position\`, \`stream\`, \`version\`, \`type\`, \`schemaVersion\`, \`at\` (UTC, microseconds), \`actor\`,
\`causationId\` (the id of the command), \`correlationId\` (the job) and \`hash\`. A job's events are the stream
\`job-<id>\`; \`CommandRefused\` is on \`refusals\`, and the claims of a folder are on \`workdir-<hash>\`.

`

const code = (shape) => `\`${shape}\``

function docOf(type) {
  const file = type.replace(/[A-Z]/g, (letter, at) => (at === 0 ? '' : '-') + letter.toLowerCase())
  const text = readFileSync(join(root, 'events', `${file}.ts`), 'utf8')
  const [, doc = ''] = /\/\*\*([\s\S]*?)\*\/\s*export const /.exec(text) ?? []
  return doc
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * `npm run docs` writes the page and `migrations/schema.sql`, and adds the shapes and examples of new versions. The shape of a version that is there
 * already stays: events of it are in ledgers, so another shape needs another version and a reader of the old one.
 */
async function main() {
  writeFileSync(page, await eventsReference())
  const kept = existsSync(shapesFile) ? JSON.parse(readFileSync(shapesFile, 'utf8')) : {}
  const shapes = { ...(await currentShapes()), ...kept }
  writeFileSync(shapesFile, `${JSON.stringify(shapes, null, 2)}\n`)
  await writeExamples()
  await writeSchema()
}

/** An example of each version that has none yet; those of older versions were written when these were current. */
async function writeExamples() {
  const { eventDefinitions } = await import('../dist/events/docket-event.js')
  const { everyData } = await import('../dist/test/support/every-event.js')
  for (const [type, { schemaVersion }] of Object.entries(eventDefinitions)) {
    const file = join(root, 'fixtures', 'events', `${type}@${schemaVersion}.json`)
    if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(everyData[type], null, 2)}\n`)
  }
}

if (isMain(import.meta.url)) await main()
