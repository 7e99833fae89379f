import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { badUsage } from './exit.js'

/**
 * Lends a file that can be read more than once: the one that is named, or a copy of what a pipe gives. `-` is the
 * standard input.
 */
export const withRegularFile = async <A>(given: string, use: (path: string) => Promise<A>): Promise<A> => {
  const path = given === '-' ? '/dev/stdin' : given
  const file = await open(path).catch((cause: Error) => {
    throw badUsage(`${given} cannot be read: ${cause.message}`)
  })
  try {
    const stats = await file.stat()
    if (stats.isDirectory()) throw badUsage(`${given} is a folder`)
    if (stats.isFile()) return await use(path)
    const folder = await mkdtemp(join(tmpdir(), 'docket-import-'))
    try {
      const copy = join(folder, 'export.jsonl')
      await pipeline(file.createReadStream({ autoClose: false }), createWriteStream(copy, { mode: 0o600 }))
      return await use(copy)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    await file.close()
  }
}
