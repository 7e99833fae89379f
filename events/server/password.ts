import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { StoreUnavailable } from '../store/store-unavailable.js'
import { writeDurably } from './durable.js'
import type { ServerLayout } from './layout.js'

/** The password of a home's cluster, made before the cluster is. Who can read Docket's home may connect. */
export const passwordOf = async ({ password: path, data }: ServerLayout): Promise<string> => {
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  if (existsSync(data)) {
    throw new StoreUnavailable(`${path}, the password of the cluster beside it, is gone: put it back`)
  }
  const made = randomBytes(24).toString('hex')
  await writeDurably(path, made)
  return made
}
