/**
 * Cuts a stream of bytes into lines of UTF-8. `onTooLong` is called once when a line passes
 * `maxBytes`, and nothing is read from then on.
 */
export const lineReader = (
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): { readonly push: (chunk: Buffer) => void; readonly end: () => void } => {
  let pieces: Array<Buffer> = []
  let size = 0
  let broken = false

  const flush = (): void => {
    const line = Buffer.concat(pieces).toString('utf8')
    pieces = []
    size = 0
    if (line.trim() !== '') onLine(line)
  }

  const keep = (piece: Buffer): boolean => {
    size += piece.length
    if (size <= maxBytes) {
      pieces.push(piece)
      return true
    }
    broken = true
    pieces = []
    onTooLong()
    return false
  }

  return {
    push: (chunk) => {
      let start = 0
      while (!broken) {
        const newline = chunk.indexOf(0x0a, start)
        const end = newline === -1 ? chunk.length : newline
        if (!keep(chunk.subarray(start, end)) || newline === -1) return
        flush()
        start = newline + 1
      }
    },
    end: () => {
      if (!broken) flush()
    },
  }
}
