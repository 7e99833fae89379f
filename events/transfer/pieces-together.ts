import { createHash } from 'node:crypto'
import type { ArtifactLine } from './format.js'

export type Pieces = {
  /** Whether the artifact is whole with this piece, or what is wrong with it or with the one before. */
  readonly take: (piece: ArtifactLine) => { readonly whole: boolean; readonly wrong: string | null }
  /** What is wrong when there are no more pieces. */
  readonly end: () => string | null
}

/** Hashes artifacts whose pieces come one after the other. */
export const piecesTogether = (): Pieces => {
  let open: { readonly sha256: string; length: number; readonly hash: ReturnType<typeof createHash> } | null =
    null

  const end = (): string | null => (open === null ? null : `artifact ${open.sha256} is not whole`)

  return {
    end,
    take: ({ sha256, size, bytes }) => {
      const wrong = open !== null && open.sha256 !== sha256 ? end() : null
      if (open === null || open.sha256 !== sha256) open = { sha256, length: 0, hash: createHash('sha256') }
      const piece = Buffer.from(bytes, 'base64')
      open.hash.update(piece)
      open.length += piece.length
      if (open.length < size) return { whole: false, wrong }
      const same = open.length === size && open.hash.digest('hex') === sha256
      open = null
      return same
        ? { whole: true, wrong }
        : { whole: false, wrong: wrong ?? `the bytes of artifact ${sha256} are others` }
    },
  }
}
