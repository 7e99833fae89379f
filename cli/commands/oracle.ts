import type { Command } from 'commander'

export const oracle = (program: Command): void => {
  program
    .command('oracle')
    .summary('ask the three browsers: one JSON request a line on stdin, one answer a line on stdout')
    .action(async () => {
      const { main } = await import('../../oracle/main.js')
      process.exit(await main())
    })
}
