import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OracleCommand } from '../../oracle/client/oracle-child.js'

/**
 * The oracle that a tool uses by hand: `JOBS_ORACLE` (a command line for `sh -c`) where it is set, else
 * `oracle/oracle.mjs` of the working folder, else Docket's own, two folders above the bundled tool.
 * `null` when there is none. Source: the reference check, point 6. Inside a job no tool chooses: the
 * runner does.
 */
export const oracleCommand = (
  env: NodeJS.ProcessEnv,
  workdir: string,
  tool: string,
): OracleCommand | null => {
  if (env.JOBS_ORACLE !== undefined && env.JOBS_ORACLE.trim() !== '') return env.JOBS_ORACLE
  const own = fileURLToPath(new URL('../../oracle/oracle.mjs', tool))
  const main = [join(workdir, 'oracle', 'oracle.mjs'), own].find((file) => existsSync(file))
  return main === undefined ? null : [process.execPath, main]
}
