import pc from 'picocolors'

/** Data goes to stdout, and nothing else does. */
export const printData = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Everything that is no data goes to stderr. */
export const note = (text: string): void => {
  process.stderr.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** One JSON document; two-space indents on a terminal, one line elsewhere would hide nothing, so always these. */
export const printJson = (value: unknown): void => printData(JSON.stringify(value, null, 2))

/** Text from outside, with everything taken out that could move a cursor or change a terminal. */
export const safe = (text: string): string => text.replace(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, '\ufffd')

/** Colours for data on stdout: none when it is no terminal or when `NO_COLOR` is set. */
export const colour = pc.createColors(pc.isColorSupported && process.stdout.isTTY === true)
export const noteColour = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true)

/**
 * Rows under headings, in columns as wide as their widest cell. The last one is not padded, and on a terminal
 * it is cut where the line would wrap.
 */
export const table = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const room = roomAfter(widths.slice(0, -1))
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((cell, column) => {
        const shown = column === row.length - 1 ? cut(cell, room) : cell
        return shown + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(shown)))
      })
      .join('  ')
      .trimEnd()
  return [colour.dim(line(headings)), ...rows.map(line)].join('\n')
}

/** Characters as a terminal shows them, colours not counted. */
const widthOf = (text: string): number =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
  [...text.replace(/\u001b\[[0-9;]*m/g, '')].length

/** Columns of the terminal that are left after others with their gaps; without a terminal there is no end. */
const roomAfter = (widths: ReadonlyArray<number>): number =>
  process.stdout.isTTY === true
    ? Math.max(20, process.stdout.columns - widths.reduce((sum, width) => sum + width + 2, 0))
    : Number.POSITIVE_INFINITY

/** A coloured cell is short by nature and stays whole. */
const cut = (cell: string, room: number): string =>
  cell.includes('\u001b') || widthOf(cell) <= room ? cell : `${[...cell].slice(0, room - 1).join('')}…`
