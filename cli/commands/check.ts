import type { Command } from 'commander'
import { checks, findCheck } from '../../domain/check.js'
import { readStageFile } from '../../runner/read-stage-file.js'
import { badUsage, CommandFailed, exits } from '../exit.js'
import { printData, printJson, safe } from '../output.js'

export const check = (program: Command): void => {
  program
    .command('check')
    .summary('run a check by hand, as a job would: exit 1 when it fails, 2 when it cannot run')
    .argument('<name>', `which check: ${checks.map(({ name }) => name).join(', ')}`)
    .argument('[files...]', 'its arguments')
    .option('--json', 'one JSON document')
    .action(async (name: string, files: ReadonlyArray<string>, { json }: { readonly json?: true }) => {
      const found = findCheck(name)
      if (found === null) {
        throw badUsage(`there is no check ${name}; there are: ${checks.map((one) => one.name).join(', ')}`)
      }
      if (found.name === 'touches') {
        throw badUsage('touches is known only within a job, which has the manifest and the base commit')
      }
      if (files.length !== found.parameters.length) {
        throw badUsage(`usage: docket check ${name} ${found.parameters.join(' ')}`)
      }
      const contents = await Promise.all(files.map((file) => readStageFile(file)))
      const result = found.run({ files: contents, touches: [], changed: [] })
      if (json === true) printJson({ check: name, ...result })
      switch (result.tag) {
        case 'passed':
          if (json !== true) printData([`${name} passed`, ...result.notes.map(safe)].join('\n'))
          return
        case 'failed':
          if (json !== true) printData([`${name} failed`, ...result.messages.map(safe)].join('\n'))
          process.exitCode = exits.no
          return
        case 'could-not-run':
          throw new CommandFailed(exits.usage, `${name} could not run: ${result.why}`)
      }
    })
}
