import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { engines } from '../../domain/engine.js'
import { docketHome } from '../../events/server/home.js'
import { serverStatus } from '../../events/server/status.js'
import { defaultLedger, ledgerOf } from '../../events/store/ledger-name.js'
import { openStore } from '../../events/store/open-store.js'
import type { DriverChoice } from '../../oracle/choose-driver.js'
import { locate } from '../../oracle/locate.js'
import { readVersion } from '../../oracle/read-version.js'

const run = promisify(execFile)

/** One thing that was looked at: whether it is as it should be, what was found, and what to type. */
export type Finding = {
  readonly what: string
  /** `note` is worth knowing and stops nothing. */
  readonly state: 'good' | 'note' | 'missing'
  readonly says: string
  readonly help: string | null
}

/** Looks at all that Docket needs and never throws. Starts the embedded server, like any other command. */
export const examine = async (env: NodeJS.ProcessEnv): Promise<ReadonlyArray<Finding>> => {
  const home = docketHome(env)
  return [
    good('node', `${process.version} (${process.execPath})`),
    await program('git', ['--version'], 'install Git'),
    await homeFolder(home),
    ...(await database(env, home)),
    ...(await browsers()),
    await isolation(),
  ]
}

const good = (what: string, says: string): Finding => ({ what, state: 'good', says, help: null })

const program = async (what: string, args: ReadonlyArray<string>, help: string): Promise<Finding> => {
  try {
    const { stdout } = await run(what, [...args])
    return good(what, stdout.trim())
  } catch (cause) {
    return { what, state: 'missing', says: messageOf(cause), help }
  }
}

const homeFolder = async (home: string): Promise<Finding> => {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    await access(home, constants.W_OK)
    return good('home', home)
  } catch (cause) {
    return {
      what: 'home',
      state: 'missing',
      says: messageOf(cause),
      help: 'set DOCKET_HOME to a folder of yours',
    }
  }
}

const database = async (env: NodeJS.ProcessEnv, home: string): Promise<ReadonlyArray<Finding>> => {
  const { DATABASE_URL: url = '' } = env
  const what = 'database'
  try {
    // One with a name of its own is not made by a look at it.
    const store = await openStore({ env, make: ledgerOf(env) === defaultLedger })
    try {
      const { position, ledger } = await store.head()
      return [
        good(what, `${await whichServer(url, home)}; ledger ${ledger} at position ${position}`),
        store.asWriter
          ? good('role', 'appends work under a role that owns nothing')
          : {
              what: 'role',
              state: 'note',
              says: 'this server let us make no role of our own, so only triggers guard what is recorded',
              help: 'let its administrator grant CREATEROLE to the user of DATABASE_URL, then start a new ledger',
            },
      ]
    } finally {
      await store.close()
    }
  } catch (cause) {
    if (url !== '') {
      const help = 'see whether the server of DATABASE_URL runs and takes connections from here'
      return [{ what, state: 'missing', says: messageOf(cause), help }]
    }
    const { problem, log } = await serverStatus(home)
    const help = problem?.help ?? `read ${log}, or set DATABASE_URL to a server of yours`
    return [{ what, state: 'missing', says: problem?.says ?? messageOf(cause), help }]
  }
}

const whichServer = async (url: string, home: string): Promise<string> => {
  if (url !== '') return 'the server of DATABASE_URL'
  const { supervisor, data, version } = await serverStatus(home)
  return `embedded PostgreSQL ${version}, in ${data} (supervisor ${supervisor})`
}

const browsers = async (): Promise<ReadonlyArray<Finding>> => {
  const choices = await locate()
  return Promise.all(engines.map(async (engine) => browser(engine, choices[engine])))
}

const browser = async (what: string, choice: DriverChoice): Promise<Finding> => {
  if (choice.type === 'none') return { what, state: 'missing', says: choice.why, help: choice.advice }
  const version = await readVersion(choice).catch(() => null)
  const how =
    choice.type === 'webdriver'
      ? `through ${choice.driver}`
      : choice.build === 'playwright'
        ? "Playwright's own build"
        : "the system's, through Playwright"
  return good(what, `${choice.executable}, ${how}${version === null ? '' : `, ${version}`}`)
}

const isolation = async (): Promise<Finding> => {
  const args = ['--ro-bind', '/', '/', '--unshare-pid', '--dev', '/dev', 'true']
  const works = await run('bwrap', args).then(
    () => true,
    () => false,
  )
  return works
    ? good('isolation', 'bubblewrap works here')
    : {
        what: 'isolation',
        state: 'note',
        says: 'bubblewrap is not there or may not be used; stages run as the same user',
        help: null,
      }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
