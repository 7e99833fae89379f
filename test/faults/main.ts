import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { bundleWriter } from './bundle-writer.js'
import { startFaultServer } from './fault-server.js'
import { addMisfortunes, noMisfortune } from './misfortunes.js'
import { type RoundResult, runRound } from './round.js'

const usage = `usage: npm run faults -- [--rounds N] [--seed S]

Each round opens a fresh ledger, lets 20 processes append to it, and kills processes, cuts connections and
crashes the server meanwhile. Afterwards everything that was acknowledged must be there once and in its place.

  --rounds N  how many rounds, 200 if nothing is said
  --seed S    decides what is done in the first round; each further round has the next number

Exit codes: 0 nothing was lost, 1 something was, 2 bad usage.
`

const writers = 20
const forMs = 1200
/** Every so many rounds the server is crashed as well. */
const crashEvery = 4

type Total = Omit<RoundResult, 'faults'> & { readonly faults: number }

const main = async (): Promise<number> => {
  const options = optionsOf(process.argv.slice(2))
  if (options === null) {
    process.stderr.write(usage)
    return 2
  }
  const { rounds, seed } = options
  process.stdout.write(`${rounds} rounds of ${writers} writers, seed ${seed}\n`)
  const server = await startFaultServer()
  const { program, remove } = await bundleWriter()
  let total: Total = {
    misfortunes: noMisfortune,
    acknowledged: 0,
    unresolved: 0,
    committedUntold: 0,
    faults: 0,
  }
  try {
    for (let n = 0; n < rounds; n++) {
      const crashes = n % crashEvery === crashEvery - 1
      const round = await runRound({ server, program, seed: seed + n, writers, forMs, crashes })
      total = added(total, round)
      for (const fault of round.faults.slice(0, 20)) process.stdout.write(`seed ${seed + n}: ${fault}\n`)
      if (process.stderr.isTTY || n % 10 === 9) process.stderr.write(`after ${n + 1}: ${tell(total)}\n`)
    }
  } finally {
    remove()
    await server.stop()
  }
  process.stdout.write(`${rounds} rounds, seed ${seed}: ${tell(total)}\n`)
  return total.faults === 0 ? 0 : 1
}

const added = (total: Total, round: RoundResult): Total => ({
  misfortunes: addMisfortunes(total.misfortunes, round.misfortunes),
  acknowledged: total.acknowledged + round.acknowledged,
  unresolved: total.unresolved + round.unresolved,
  committedUntold: total.committedUntold + round.committedUntold,
  faults: total.faults + round.faults.length,
})

const tell = ({ misfortunes, acknowledged, unresolved, committedUntold, faults }: Total): string =>
  [
    `${misfortunes.killed} writers killed`,
    `${misfortunes.cut} connections cut`,
    `${misfortunes.ended} ended by the server`,
    `${misfortunes.crashed} servers crashed`,
    `${acknowledged} events acknowledged`,
    `${unresolved} commands without an answer, of which ${committedUntold} were in the ledger`,
    `${faults} lost or wrong`,
  ].join(', ')

const optionsOf = (args: Array<string>): { readonly rounds: number; readonly seed: number } | null => {
  try {
    const { values } = parseArgs({ args, options: { rounds: { type: 'string' }, seed: { type: 'string' } } })
    const rounds = Number(values.rounds ?? 200)
    const seed = Number(values.seed ?? randomInt(1_000_000))
    return isCount(rounds) && rounds > 0 && isCount(seed) ? { rounds, seed } : null
  } catch {
    return null
  }
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 1_000_000_000

process.exitCode = await main()
