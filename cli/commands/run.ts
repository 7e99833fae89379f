import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { engines } from '../../domain/engine.js'
import { locate } from '../../oracle/locate.js'
import { newJobId, submit } from '../../runner/submit.js'
import { type DriveOptions, drive } from '../drive.js'
import { badUsage } from '../exit.js'
import { withLedger } from '../open-ledger.js'
import { toolsFolder } from '../start-runner.js'

type Options = DriveOptions & { readonly workdir: string; readonly id?: string }

export const run = (program: Command): void => {
  program
    .command('run')
    .summary('run a job in the foreground: its story on stderr, its summary on stdout')
    .argument('<manifest>', 'the file that says what the job does')
    .option('--workdir <folder>', 'the checkout to work in', '.')
    .option('--id <id>', 'an id of your own; refused when a job has it already')
    .option('--quiet', 'no story')
    .option('--json', 'the summary as one JSON document')
    .action((manifest: string, options: Options) =>
      withLedger(
        async (store) => {
          const id = options.id ?? newJobId()
          if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id)) {
            throw badUsage(`${JSON.stringify(id)} is no id: use up to 40 of a-z, 0-9 and -`)
          }
          await drive(store, options, (runner) =>
            submit(runner, {
              manifest,
              workdir: options.workdir,
              tools: toolsFolder,
              person: userInfo().username,
              id,
              lackingBrowsers,
            }),
          )
        },
        { make: true },
      ),
    )
}

/** An oracle that is given brings its own browsers; only what Docket's own would lack can be told before. */
const lackingBrowsers = async (): Promise<ReadonlyArray<string>> => {
  if ((process.env.JOBS_ORACLE ?? '').trim() !== '') return []
  const choices = await locate()
  return engines.flatMap((engine) => {
    const choice = choices[engine]
    return choice.type === 'none' ? [`${engine}: ${choice.why}; ${choice.advice}`] : []
  })
}
