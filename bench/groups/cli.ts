import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { embeddedServer } from '../../events/server/embedded.js'
import { stopServer } from '../../events/server/stop.js'
import { type Group, inTurns, machine, type Row, rowOf, timed } from '../measure.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const docket = join(root, 'cli', 'docket.mjs')
const example = join(root, 'fixtures', 'jobs', 'percentage-boxes')

/**
 * How long whole commands take on the embedded database, warm. The peer is the least that could answer: a
 * Node.js program that connects with the same driver, reads the same rows and prints them.
 */
export const cli: Group = async () => {
  const home = await mkdtemp(join(tmpdir(), 'docket-bench-'))
  const env = { ...process.env, DATABASE_URL: '', DOCKET_HOME: home }
  try {
    const job = await timed(() => runExample(home, env))
    const peer = await peerProgram(home)
    const rows: Array<Row> = [
      rowOf('the example job, with browsers', 's', { docket: job / 1000, peer: null }, 'under 60 s'),
    ]
    for (const { args, wanted } of commands) {
      const measured = await inTurns(
        9,
        () => timed(() => run(process.execPath, [docket, ...args], { env, maxBuffer: 1 << 26 })),
        () =>
          timed(() =>
            run(process.execPath, ['--input-type=module', '--eval', peer], { cwd: root, maxBuffer: 1 << 26 }),
          ),
      )
      rows.push(rowOf(`docket ${args.join(' ')}`, 'ms', measured, wanted))
    }
    return { about: [machine()], rows }
  } finally {
    await stopServer(home)
    await rm(home, { recursive: true, force: true })
  }
}

const commands: ReadonlyArray<{ readonly args: ReadonlyArray<string>; readonly wanted: string }> = [
  { args: ['show', '@last', '--json'], wanted: '300 ms or less' },
  { args: ['list', '--json'], wanted: '300 ms or less' },
  { args: ['why', '@last', '--json'], wanted: '300 ms or less' },
  { args: ['log', '@last', '--jsonl'], wanted: '300 ms or less' },
]

const runExample = async (home: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const workdir = join(home, '..', `${home.split('/').at(-1)}-checkout`)
  try {
    await cp(join(example, 'checkout'), workdir, { recursive: true })
    const git = (...args: ReadonlyArray<string>) =>
      run('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@docket.invalid', ...args], {
        cwd: workdir,
      })
    await git('init', '--quiet')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'Begin')
    await run(process.execPath, [docket, 'run', join(example, 'manifest.json'), '--workdir', workdir], {
      env,
    })
  } finally {
    await rm(workdir, { recursive: true, force: true })
  }
}

const peerProgram = async (home: string): Promise<string> => {
  const address = JSON.stringify(await embeddedServer(home))
  return `
    import pg from 'pg'
    const client = new pg.Client(${address})
    await client.connect()
    const { rows } = await client.query("select * from docket.events where stream like 'job-%' order by version")
    console.log(JSON.stringify(rows.map(({ body }) => JSON.parse(body.toString('utf8')))))
    await client.end()`
}
