import { readFile } from 'node:fs/promises'
import * as E from 'fp-ts/lib/Either.js'
import type { Head } from '../events/store/event-store.js'
import { parseHead } from '../events/store/kept-head.js'
import { badUsage } from './exit.js'

/** A head that was kept: the line itself, or the name of a file that holds it. */
export const keptHead = async (given: string): Promise<Head> => {
  const line = given.startsWith('docket-head ') ? given : await readFile(given, 'utf8').catch(() => null)
  if (line === null) throw badUsage(`there is no file ${given} with a head`)
  const head = parseHead(line)
  if (E.isLeft(head)) throw badUsage(`${given} cannot be compared with: ${head.left}`)
  return head.right
}
