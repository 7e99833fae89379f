import type { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { Difference, KeptEvent } from '../events/chain.js'
import type { Recorded } from '../events/recorded.js'
import { readKept } from '../events/store/read-kept.js'
import { BadExport } from '../events/transfer/bad-export.js'
import { type ExportWalk, walkExport } from '../events/transfer/export-walk.js'
import type { HeaderLine } from '../events/transfer/format.js'
import { readExport } from '../events/transfer/read-export.js'
import { artifactsNamed } from './verify-artifacts.js'
import { verdictsAgain } from './verify-verdicts.js'

export type VerifiedExport = {
  readonly header: HeaderLine
  readonly events: number
  readonly artifacts: number
  /** The link at the position that was asked for, null where its links do not come to it. */
  readonly linkThere: string | null
  /** By position; 0 where nothing tells one. */
  readonly differences: ReadonlyArray<Difference>
}

export type VerifyExportOptions = {
  /** Called with every event that can be read. */
  readonly onEvent?: (event: Recorded) => void
  /** A position whose link to give back. */
  readonly linkAt?: number | undefined
}

/**
 * Verifies an export by itself, without a database: hashes, links, artifacts, every event with its codec, every verdict
 * of a reference check decided again. Throws `BadExport` where it is no export or not the whole of one.
 */
export const verifyExport = async (
  input: Readable,
  { onEvent = () => {}, linkAt }: VerifyExportOptions = {},
): Promise<VerifiedExport> => {
  const differences: Array<Difference> = []
  const named = artifactsNamed()
  const verdicts = verdictsAgain()
  let header: HeaderLine | null = null
  let walk: ExportWalk | null = null
  let linkThere: string | null = null

  const take = (kept: KeptEvent): void => {
    const read = readKept(kept)
    if (E.isLeft(read)) {
      differences.push({ position: kept.position, what: read.left.reasons.join('; ') })
      return
    }
    named.take(read.right)
    differences.push(...verdicts.take(read.right))
    onEvent(read.right)
  }
  for await (const { line } of readExport(input)) {
    if (line.line === 'header') {
      header = line
      walk = walkExport(line, (position, hash) => {
        if (position === linkAt) linkThere = hash
      })
    } else differences.push(...(walk?.take(line, take) ?? []))
  }
  if (header === null || walk === null) throw new BadExport('it is empty')
  for (const [sha256, position] of named.all()) {
    if (!walk.artifacts.has(sha256)) differences.push({ position, what: `artifact ${sha256} is missing` })
  }
  differences.sort((a, b) => a.position - b.position)
  return { header, events: walk.events(), artifacts: walk.artifacts.size, linkThere, differences }
}
