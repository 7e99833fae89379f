import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { accountCluster, giveToAccount, openPrograms } from './account.js'
import { syncFolder } from './durable.js'
import type { ServerLayout } from './layout.js'
import { passwordOf } from './password.js'
import { accountId, choosePrivileges, endingWithUs, type Privileges } from './privileges.js'
import type { Programs } from './programs.js'

/** What the server is started with: where its programs and its cluster lie, its password, and how it may run. */
export type Cluster = {
  readonly bin: string
  readonly data: string
  readonly password: string
  readonly privileges: Privileges
}

/** The user that owns everything in the cluster. */
export const superuser = 'docket'

/**
 * The cluster of a home, made where there is none: in a folder of its own, which is renamed when it is whole.
 * Only who holds both locks may call this; what an earlier attempt left half done is removed.
 *
 * @param lock The descriptor of the cluster's lock; the program that makes the cluster holds it as well.
 */
export const makeCluster = async (
  layout: ServerLayout,
  programs: Programs,
  lock: number,
): Promise<Cluster> => {
  const password = await passwordOf(layout)
  const elsewhere = accountCluster(password)
  const privileges = await choosePrivileges(existsSync(elsewhere))
  const account = privileges.way === 'account'
  const bin = join(account ? await openPrograms(programs) : programs.native, 'bin')
  const data = account ? elsewhere : layout.data
  const parent = dirname(data)
  await mkdir(parent, { recursive: true, mode: account ? 0o755 : 0o700 })
  for (const name of await readdir(parent)) {
    if (name.startsWith(half)) await rm(join(parent, name), { recursive: true, force: true })
  }
  const cluster = { bin, data, password, privileges }
  if (account && !existsSync(data) && existsSync(layout.data)) {
    await giveToAccount(layout.data, data, join(parent, `${half}copy`))
  }
  if (!existsSync(data)) await makeNew(cluster, join(parent, `${half}cluster`), lock)
  await checkVersion(cluster, programs)
  return cluster
}

/** How the names of what is not yet whole begin. */
const half = 'data.new-'

const makeNew = async (
  { bin, data, password, privileges }: Cluster,
  fresh: string,
  lock: number,
): Promise<void> => {
  await mkdir(fresh, { mode: 0o700 })
  const passwordFile = `${fresh}-password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (privileges.way === 'account') {
    for (const path of [fresh, passwordFile]) await chown(path, accountId, accountId)
  }
  const ending = await endingWithUs('KILL')
  const initdb = [join(bin, 'initdb'), ...initdbArgs, `--pwfile=${passwordFile}`, '-D', fresh]
  const [command = '', ...args] = [...privileges.prefix, ...ending, ...initdb]
  await succeed(spawn(command, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe', lock] }))
  await rm(passwordFile)
  await rename(fresh, data)
  await syncFolder(dirname(data))
}

const initdbArgs = [
  `--username=${superuser}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--no-instructions',
]

/** What it says is kept here, since the log may lie on the disk that is full. */
const succeed = async (child: ChildProcess): Promise<void> => {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-2000)
  })
  const [code, signal] = await once(child, 'close')
  if (code === 0) return
  throw new StoreUnavailable(`the cluster could not be made: initdb ended with ${code ?? signal}\n${text}`)
}

/** PostgreSQL reads no cluster of another major version, and says so in a way that helps nobody. */
const checkVersion = async ({ data }: Cluster, { version }: Programs): Promise<void> => {
  const made = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  const [major] = version.split('.', 1)
  if (made === major) return
  throw new StoreUnavailable(
    made === ''
      ? `${data} is no cluster of PostgreSQL: put back what was there, or move it away to begin a new ledger`
      : `${data} was made by PostgreSQL ${made} and this Docket has ${major}: export the ledger with the Docket that made it, move the folder away, and import it`,
  )
}
