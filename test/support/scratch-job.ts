import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import { readStream } from '../../events/read-stream.js'
import type { Recorded } from '../../events/recorded.js'
import type { JobView } from '../../projections/job/view.js'
import { driveJob } from '../../runner/drive-job.js'
import { ownIdentity } from '../../runner/identity.js'
import type { Runner } from '../../runner/runner.js'
import { newJobId, submit } from '../../runner/submit.js'
import { type FreshLedger, freshLedger } from './ledger.js'

/** Docket's own folder, from where the tests are built to. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))
const stub = join(root, 'fixtures', 'reference-check', 'stub-oracle.mjs')

export type ScratchJob = FreshLedger & {
  readonly home: string
  readonly workdir: string
  readonly runner: Runner
  /** A program of the checkout's own folder: Node.js source, run with its name as the stage's command. */
  readonly program: (name: string, source: string) => string
  readonly run: (manifest: object, runner?: Partial<Runner>) => Promise<Ran>
  readonly drive: (job: string, runner?: Partial<Runner>) => Promise<Ran>
  readonly refusals: () => Promise<ReadonlyArray<Recorded>>
}

export type Ran = {
  readonly job: string
  readonly view: JobView
  readonly events: ReadonlyArray<Recorded>
  readonly types: ReadonlyArray<string>
}

/** A scratch checkout with one commit, a home, and a ledger, in which jobs of real little programs run. */
export const scratchJob = async (t: ExecutionContext): Promise<ScratchJob> => {
  const ledger = await freshLedger(t)
  const folder = mkdtempSync(join(tmpdir(), 'docket-job-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [home, workdir, programs] = ['home', 'work dir', 'programs'].map((name) => join(folder, name))
  if (home === undefined || workdir === undefined || programs === undefined) throw new Error('no folders')
  for (const path of [home, workdir, programs]) mkdirSync(path)
  commitAll(workdir, { 'README.md': 'a checkout\n' })
  const runner: Runner = {
    store: ledger.store,
    home,
    identity: ownIdentity(),
    oracle: `${process.execPath} ${JSON.stringify(stub)}`,
    env: { ...process.env, DATABASE_URL: ledger.url, PGPASSWORD: 'secret', SECRET_OF_THE_RUNNER: 'yes' },
    interrupt: new AbortController().signal,
    hurry: new AbortController().signal,
    graceMs: 300,
  }

  const drive: ScratchJob['drive'] = async (job, more = {}) => {
    const driven = await driveJob({ ...runner, ...more }, job)
    if (E.isLeft(driven)) throw new Error(JSON.stringify(driven.left))
    const events = await readStream(ledger.store, `job-${job}`)
    return { job, view: driven.right, events, types: events.map(({ type }) => type) }
  }
  return {
    ...ledger,
    home,
    workdir,
    runner,
    drive,
    program: (name, source) => {
      const path = join(programs, name)
      writeFileSync(path, `#!${process.execPath}\n${source}`, { mode: 0o755 })
      return path
    },
    run: async (manifest, more = {}) => {
      const path = join(programs, 'manifest.json')
      writeFileSync(path, JSON.stringify(manifest))
      const submission = { manifest: path, workdir, tools: join(root, 'dist', 'tools'), person: 'test' }
      const job = await submit(runner, {
        ...submission,
        id: newJobId(),
        lackingBrowsers: () => Promise.resolve([]),
      })
      if (E.isLeft(job)) throw new Error(JSON.stringify(job.left))
      return drive(job.right, more)
    },
    refusals: () => readStream(ledger.store, 'refusals'),
  }
}

/** Writes files into a folder and commits everything in it, making the repository where there is none. */
export const commitAll = (workdir: string, files: Readonly<Record<string, string>>): void => {
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync('git', [...identity, ...args], { cwd: workdir })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workdir, name)), { recursive: true })
    writeFileSync(join(workdir, name), text)
  }
  if (!existsSync(join(workdir, '.git'))) git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'commit')
}

const identity = ['-c', 'user.name=test', '-c', 'user.email=test@docket.invalid']
