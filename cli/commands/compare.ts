import type { Command } from 'commander'
import { compareDumps } from '../../domain/comparison/compare-dumps.js'
import { exits } from '../exit.js'
import { printData, printJson } from '../output.js'
import { readDump } from '../read-dump.js'
import { renderComparison } from '../render/comparison.js'

export const compare = (program: Command): void => {
  program
    .command('compare')
    .summary('compare two dumps of one page: exit 0 when they are the same within 1/60 px, 1 when not')
    .argument('<a>', 'a file with a dump, or with an answer of the oracle; FILE:firefox takes one of several')
    .argument('<b>', 'another one')
    .option('--json', 'one JSON document, with every delta')
    .action(async (first: string, second: string, { json }: { readonly json?: true }) => {
      const [a, b] = [await readDump(first), await readDump(second)]
      const comparison = compareDumps(a, b)
      if (json === true) printJson(comparison)
      else printData(renderComparison(a, b, comparison))
      if (comparison.verdict === 'discarded') process.exitCode = exits.refused
      else if (comparison.verdict !== 'same') process.exitCode = exits.no
    })
}
