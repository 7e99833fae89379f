import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Docket's home: `DOCKET_HOME`, else `docket` in the user's state folder. An absolute path. */
export const docketHome = (env: NodeJS.ProcessEnv): string => {
  const { DOCKET_HOME: own = '', XDG_STATE_HOME: state = '' } = env
  if (own !== '') return resolve(own)
  return join(state === '' ? join(homedir(), '.local', 'state') : resolve(state), 'docket')
}
