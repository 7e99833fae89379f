import type { Kysely } from 'kysely'
import { type KeptChunk, keptChunks } from '../store/kept-chunks.js'
import type { Tables } from '../store/tables.js'
import type { ExportLine } from './format.js'

/**
 * Writes artifacts, a line for each of their pieces; those of the given hashes, or all that there are.
 * Returns how many there were.
 */
export const artifactLines = async (
  db: Kysely<Tables>,
  only: Iterable<string> | null,
  write: (line: ExportLine) => Promise<void>,
): Promise<number> => {
  const written = new Set<string>()
  const writeAll = async (chunks: AsyncIterable<KeptChunk>): Promise<void> => {
    for await (const { sha256, size, bytes } of chunks) {
      written.add(sha256)
      await write({ line: 'artifact', sha256, size, bytes: bytes.toString('base64') })
    }
  }
  if (only === null) await writeAll(keptChunks(db))
  else for (const sha256 of only) await writeAll(keptChunks(db, sha256))
  return written.size
}
