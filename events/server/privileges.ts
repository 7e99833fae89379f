import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { StoreUnavailable } from '../store/store-unavailable.js'

const run = promisify(execFile)

/**
 * How a program of PostgreSQL is started, since it refuses to run as root, and as a user without an account.
 *
 * - `plain`: as the user that we are.
 * - `namespace`: under the number of `nobody` in a user namespace. Nothing changes its owner, and closed parent
 *   folders stay open to it.
 * - `account`: as an account without rights, where namespaces are forbidden. Everything it reads has to lie
 *   in a folder that is open to it.
 */
export type Privileges = {
  readonly way: 'plain' | 'namespace' | 'account'
  /** What comes before the program in its command line. */
  readonly prefix: ReadonlyArray<string>
}

/** The account that every system has for what should have no rights: `nobody`. */
export const accountId = 65534

/** @param asAccount The cluster was made in the account's way already, and stays with it. */
export const choosePrivileges = async (asAccount: boolean): Promise<Privileges> => {
  if (process.getuid?.() !== 0) {
    const helps = !hasAccount() && (await works([...namespace.prefix, 'true']))
    return helps ? namespace : { way: 'plain', prefix: [] }
  }
  for (const privileges of asAccount ? [account] : [namespace, account]) {
    if (await works([...privileges.prefix, 'true'])) return privileges
  }
  throw new StoreUnavailable(
    'PostgreSQL refuses to run as root, and neither unshare nor setpriv works here: run Docket as an ordinary user, or set DATABASE_URL',
  )
}

/** A container may run us under any number. */
const hasAccount = (): boolean => {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

const namespace: Privileges = {
  way: 'namespace',
  prefix: ['unshare', '--user', `--map-user=${accountId}`, `--map-group=${accountId}`],
}

const account: Privileges = {
  way: 'account',
  prefix: ['setpriv', `--reuid=${accountId}`, `--regid=${accountId}`, '--clear-groups'],
}

/**
 * What makes a program end when the supervisor does, killed or not; nothing elsewhere than on Linux, where the
 * next supervisor ends what it finds. It comes after what changes the user, which forgets it.
 */
export const endingWithUs = async (name: 'INT' | 'KILL'): Promise<ReadonlyArray<string>> => {
  const prefix = ['setpriv', '--pdeathsig', name]
  return (await works([...prefix, 'true'])) ? prefix : []
}

const works = ([command = '', ...args]: ReadonlyArray<string>): Promise<boolean> =>
  run(command, [...args], { cwd: '/' }).then(
    () => true,
    () => false,
  )
