import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerLayout } from './layout.js'
import { accountId, type Privileges } from './privileges.js'
import type { Programs } from './programs.js'

const run = promisify(execFile)

/** What the server is started with: where its programs and its cluster lie, and its password. */
export type Cluster = { readonly bin: string; readonly data: string; readonly password: string }

/** The user that owns everything in the cluster. */
export const superuser = 'docket'

/**
 * Makes the cluster where there is none: in a folder of its own, which is renamed when it is whole. Only
 * the holder of the lock may call this; what an earlier attempt left half done is removed.
 */
export const makeCluster = async (
  layout: ServerLayout,
  programs: Programs,
  privileges: Privileges,
): Promise<Cluster> => {
  const password = await passwordIn(layout)
  const account = privileges.way === 'account'
  const native = account ? await openCopy(programs) : programs.native
  const data = account ? join(openFolder, 'clusters', keyOf(layout), 'data') : layout.data
  const cluster = { bin: join(native, 'bin'), data, password }
  const parent = dirname(data)
  await mkdir(parent, { recursive: true, mode: account ? 0o755 : 0o700 })
  for (const name of await readdir(parent)) {
    if (name.startsWith('data.new-')) await rm(join(parent, name), { recursive: true, force: true })
  }
  if (existsSync(data)) return cluster

  const fresh = join(parent, `data.new-${process.pid}`)
  await mkdir(fresh, { mode: 0o700 })
  const passwordFile = join(parent, `data.new-password-${process.pid}`)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) for (const path of [fresh, passwordFile]) await chown(path, accountId, accountId)
  const [command = '', ...args] = [...privileges.prefix, join(cluster.bin, 'initdb'), ...initdbArgs]
  await run(command, [...args, `--pwfile=${passwordFile}`, '-D', fresh], { cwd: '/' })
  await rm(passwordFile)
  await rename(fresh, data)
  await syncFolder(parent)
  return cluster
}

const initdbArgs = [
  `--username=${superuser}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--no-instructions',
]

/** Kept beside the cluster: who can read Docket's home may connect. */
const passwordIn = async ({ password: path }: ServerLayout): Promise<string> => {
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  const made = randomBytes(24).toString('hex')
  await writeFile(`${path}.new`, made, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return made
}

/** Where the account without rights finds its programs and its clusters. */
const openFolder = '/var/lib/docket'

const openCopy = async ({ native, version }: Programs): Promise<string> => {
  const copy = join(openFolder, `postgres-${version}`)
  if (existsSync(copy)) return copy
  const fresh = `${copy}.new-${process.pid}`
  await mkdir(openFolder, { recursive: true, mode: 0o755 })
  await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
  await chmod(fresh, 0o755)
  await rename(fresh, copy).catch(() => rm(fresh, { recursive: true, force: true }))
  return copy
}

const keyOf = ({ folder }: ServerLayout): string => Buffer.from(folder).toString('base64url').slice(-64)

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
