import type { Readable } from 'node:stream'

/** One line of input. `head` is the start of one that was too long to keep. */
export type Line =
  | { readonly type: 'line'; readonly bytes: Buffer }
  | { readonly type: 'too-long'; readonly head: Buffer }

/** Longer lines are read to their end and not kept: a page of 50 MB fits, one of 100 MB does not. */
const longestLine = 80 * 1024 * 1024

const newline = 0x0a
const headLength = 4_096

/** The lines of a stream, without their ends; a last line needs none. Blank lines are passed over. */
export async function* readLines(input: Readable, longest = longestLine): AsyncGenerator<Line> {
  let parts: Array<Buffer> = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length <= longest) parts.push(part)
    else parts = [Buffer.from(Buffer.concat([...parts, part]).subarray(0, headLength))]
  }
  const take = (): Line => {
    const bytes = Buffer.concat(parts)
    const line: Line = length <= longest ? { type: 'line', bytes } : { type: 'too-long', head: bytes }
    parts = []
    length = 0
    return line
  }
  const isBlank = (): boolean => length <= 1 && parts.every((part) => part.toString().trim() === '')

  for await (const chunk of input) {
    let rest: Buffer = Buffer.from(chunk)
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      add(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      const blank = isBlank()
      const line = take()
      if (!blank) yield line
    }
    if (rest.length > 0) add(rest)
  }
  if (!isBlank()) yield take()
}
