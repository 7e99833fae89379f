import { Command, CommanderError } from 'commander'
import { UnreadableLedger } from '../events/read-stream.js'
import { StoreUnavailable } from '../events/store/store-unavailable.js'
import { BadExport, CannotImport } from '../events/transfer/bad-export.js'
import { badUsage, CommandFailed, exits } from './exit.js'
import { withLedgerOption } from './ledger-option.js'
import { note } from './output.js'

type Register = (program: Command) => void

/** One file a command; only the one that is called is loaded, so that each answers as soon as it can. */
const commands: Readonly<Record<string, () => Promise<Register>>> = {
  run: async () => (await import('./commands/run.js')).run,
  resume: async () => (await import('./commands/resume.js')).resume,
  list: async () => (await import('./commands/list.js')).list,
  show: async () => (await import('./commands/show.js')).show,
  log: async () => (await import('./commands/log.js')).log,
  why: async () => (await import('./commands/why.js')).why,
  at: async () => (await import('./commands/at.js')).at,
  check: async () => (await import('./commands/check.js')).check,
  compare: async () => (await import('./commands/compare.js')).compare,
  vote: async () => (await import('./commands/vote.js')).vote,
  oracle: async () => (await import('./commands/oracle.js')).oracle,
  head: async () => (await import('./commands/head.js')).head,
  verify: async () => (await import('./commands/verify.js')).verify,
  export: async () => (await import('./commands/export.js')).exportCommand,
  import: async () => (await import('./commands/import.js')).importCommand,
  rebuild: async () => (await import('./commands/rebuild.js')).rebuild,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
}

/** They open no ledger. */
const withoutLedger: ReadonlySet<string> = new Set(['check', 'compare', 'oracle', 'vote'])

const main = async (argv: ReadonlyArray<string>): Promise<void> => {
  const program = new Command('docket')
    .description('An event-sourced ledger and runner for unattended coding jobs.')
    .version('0.1.0')
    .showHelpAfterError('(docket --help lists the commands)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => note(text) })
  const called = argv[0]
  const only = called !== undefined && Object.hasOwn(commands, called) ? commands[called] : undefined
  const load = only === undefined ? Object.values(commands) : [only]
  for (const register of load) (await register())(program)
  for (const command of program.commands) {
    command.exitOverride()
    if (!withoutLedger.has(command.name())) withLedgerOption(command)
  }
  if (called === undefined) throw badUsage(program.helpInformation())
  await program.parseAsync([...argv], { from: 'user' })
}

/** Someone stopped reading data, as `head -1` does: that is the end of the work, and no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
/** Nobody reads the notes any more; a job that runs goes on all the same. */
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** Known failures in plain words; anything else is a bug of ours, and shows where. */
const exitFor = (cause: unknown): number => {
  // Commander has said what is wrong already.
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? exits.done : exits.usage
  if (cause instanceof CommandFailed) {
    note(cause.message)
    return cause.exit
  }
  if (cause instanceof BadExport || cause instanceof CannotImport) {
    note(cause.message)
    return cause instanceof BadExport ? exits.no : exits.refused
  }
  if (cause instanceof StoreUnavailable || cause instanceof UnreadableLedger) {
    note(cause.message)
    return exits.missing
  }
  note(`this is a bug of Docket's:\n${cause instanceof Error ? cause.stack : String(cause)}`)
  return exits.bug
}

try {
  await main(process.argv.slice(2))
} catch (cause) {
  process.exitCode = exitFor(cause)
}
