import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StoreUnavailable } from '../store/store-unavailable.js'

const run = promisify(execFile)

/**
 * How a program of PostgreSQL is started, since it refuses to run as root.
 *
 * - `plain`: as the user that we are.
 * - `namespace`: as root under another number in a user namespace. Nothing changes its owner, and closed
 *   parent folders stay open to it.
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

export const choosePrivileges = async (): Promise<Privileges> => {
  if (process.getuid?.() !== 0) return { way: 'plain', prefix: [] }
  for (const privileges of waysOfRoot) {
    const [command = '', ...args] = [...privileges.prefix, 'true']
    const works = await run(command, args).then(
      () => true,
      () => false,
    )
    if (works) return privileges
  }
  throw new StoreUnavailable(
    'PostgreSQL refuses to run as root, and neither unshare nor setpriv works here: run Docket as an ordinary user, or set DATABASE_URL',
  )
}

const waysOfRoot: ReadonlyArray<Privileges> = [
  { way: 'namespace', prefix: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] },
  {
    way: 'account',
    prefix: ['setpriv', `--reuid=${accountId}`, `--regid=${accountId}`, '--clear-groups'],
  },
]
