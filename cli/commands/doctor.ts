import type { Command } from 'commander'
import { examine } from '../doctor/examine.js'
import { exits } from '../exit.js'
import { colour, printData, printJson, safe } from '../output.js'

export const doctor = (program: Command): void => {
  program
    .command('doctor')
    .summary('look at everything that Docket needs: what is there, what is missing, and what to type')
    .option('--json', 'one JSON document')
    .action(async ({ json }: { readonly json?: true }) => {
      const findings = await examine(process.env)
      if (json === true) printJson(findings)
      else {
        const width = Math.max(...findings.map(({ what }) => what.length))
        const lines = findings.flatMap(({ what, state, says, help }) => [
          `${paint(state)} ${what.padEnd(width)}  ${safe(says)}`,
          ...(help === null ? [] : [`  ${' '.repeat(width)}    ${colour.bold(help)}`]),
        ])
        printData(lines.join('\n'))
      }
      if (findings.some(({ state }) => state === 'missing')) process.exitCode = exits.missing
    })
}

const paint = (state: 'good' | 'note' | 'missing'): string => {
  switch (state) {
    case 'good':
      return colour.green('ok ')
    case 'note':
      return colour.yellow('-  ')
    case 'missing':
      return colour.red('no ')
  }
}
