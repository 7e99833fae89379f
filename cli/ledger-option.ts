import type { Command } from 'commander'
import { ledgerOf, wrongName } from '../events/store/ledger-name.js'
import { badUsage } from './exit.js'

/** Gives a command that works on a ledger the option that names one; it goes before the environment. */
export const withLedgerOption = (command: Command): void => {
  command.option('--ledger <name>', 'one of several ledgers on one server; DOCKET_LEDGER names it for all')
  command.hook('preAction', () => {
    const { ledger } = command.opts<{ readonly ledger?: string }>()
    if (ledger === '') throw badUsage('--ledger needs a name')
    if (ledger !== undefined) process.env.DOCKET_LEDGER = ledger
    const wrong = wrongName(ledgerOf(process.env))
    if (wrong !== null) throw badUsage(wrong)
  })
}
