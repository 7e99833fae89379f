import type { Group, Measured } from './measure.js'

const groups: Readonly<Record<string, () => Promise<Group>>> = {
  cli: async () => (await import('./groups/cli.js')).cli,
  store: async () => (await import('./groups/store.js')).store,
}

const usage = `usage: npm run bench -- GROUP [--json]\ngroups: ${Object.keys(groups).join(', ')}\n`

/** Measures one group, and prints a table with what it was measured on, or with `--json` one document. */
const main = async (args: ReadonlyArray<string>): Promise<number> => {
  const names = args.filter((arg) => arg !== '--json')
  const [name] = names
  const load = name !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined
  if (names.length !== 1 || load === undefined) {
    process.stderr.write(usage)
    return 2
  }
  const measured = await (await load())()
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(measured, null, 2)}\n` : render(measured))
  return 0
}

const render = ({ about, rows }: Measured): string => {
  const notes = new Set(rows.map(({ note }) => note).filter((note) => note !== ''))
  return [table(rows), '\n', ...[...notes, ...about].map((line) => `${line}\n`)].join('')
}

const table = (rows: Measured['rows']): string => {
  const lines = [
    ['row', 'unit', 'docket', 'peer', 'ratio', 'wanted'],
    ...rows.map(({ row, unit, docket, peer, ratio, wanted }) => [
      row,
      unit,
      String(docket),
      peer === null ? '' : String(peer),
      ratio === null ? '' : String(ratio),
      wanted,
    ]),
  ]
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${text.join('\n')}\n`
}

process.exitCode = await main(process.argv.slice(2))
