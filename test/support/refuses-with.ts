import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { Docket } from './docket.js'

/** It said why on stderr, nothing on stdout, and began nothing. */
export const refusesWith = async (
  t: ExecutionContext,
  docket: Docket,
  args: ReadonlyArray<string>,
  code: number,
  ...says: ReadonlyArray<RegExp>
): Promise<void> => {
  const ended = await docket.run(...args)
  t.is(ended.code, code, ended.stderr)
  t.is(ended.stdout, '')
  for (const pattern of says) t.regex(ended.stderr, pattern)
  t.notRegex(ended.stderr, /\n\s+at /, 'no stack trace')
  const jobs = join(docket.home, 'jobs')
  t.deepEqual(existsSync(jobs) ? readdirSync(jobs) : [], [])
}
