import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMain, root } from './lib/root.mjs'
import { capture, run, say } from './lib/step.mjs'
import { setUp } from './setup.mjs'

const example = join('fixtures', 'jobs', 'percentage-boxes')
const docket = join('cli', 'docket.mjs')

/**
 * `npm run demo`: sets up, runs the example job in a scratch checkout, tells its story and names the commands
 * to look at next. Resolves with what `docket run` ended with.
 */
async function main() {
  const code = await setUp()
  if (code !== 0) return code
  const workdir = await scratchCheckout()
  say(`running the example job in ${workdir}`)
  const ended = await run(process.execPath, [
    docket,
    'run',
    join(example, 'manifest.json'),
    '--workdir',
    workdir,
  ])
  if (!endings.has(ended)) {
    say(`the example job did not run (exit code ${ended}): see above`)
    return ended
  }
  process.stdout.write('\n')
  await run(process.execPath, [docket, 'log', '@last'])
  if (ended !== 0) process.stdout.write(`\nThe job did not end accepted (exit code ${ended}).\n`)
  process.stdout.write(next)
  return ended
}

/** What `docket run` ends with when there is a job: accepted, rejected, waiting, cancelled, out of time. */
const endings = new Set([0, 1, 3, 4, 5])

const next = `
To look at next:
  npx docket show @last   where the job stands: its rounds, its findings, what it spent
  npx docket why @last    each decision, and what each browser reported for it
  npx docket log @last    every event, in order
`

/** The example's checkout as a Git repository in a temporary folder, with a commit that is always the same. */
async function scratchCheckout() {
  const workdir = join(mkdtempSync(join(tmpdir(), 'docket-demo-')), 'checkout')
  mkdirSync(workdir)
  cpSync(join(root, example, 'checkout'), workdir, { recursive: true })
  await git(workdir, 'init', '--quiet', '--initial-branch=main')
  await git(workdir, 'add', '--all')
  await git(workdir, 'commit', '--quiet', '--no-verify', '--message', 'Begin')
  return workdir
}

async function git(cwd, ...args) {
  const { code, output } = await capture('git', args, {
    cwd,
    env: { ...withoutGit(process.env), ...identity },
  })
  if (code !== 0) throw new Error(`git ${args[0]} in ${cwd}: ${output}`)
}

/** Nobody's own configuration (signing, hooks, another default) has a say in the example. */
const identity = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Docket demo',
  GIT_AUTHOR_EMAIL: 'demo@docket.invalid',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Docket demo',
  GIT_COMMITTER_EMAIL: 'demo@docket.invalid',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}

const withoutGit = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))

if (isMain(import.meta.url)) process.exitCode = await main()
