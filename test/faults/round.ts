import { openStore } from '../../events/store/open-store.js'
import { verifyChain } from '../../events/store/verify-chain.js'
import { appendAndSay } from './append-and-say.js'
import { checkJournal } from './check-journal.js'
import { startCuttingProxy } from './cutting-proxy.js'
import type { FaultServer } from './fault-server.js'
import { emptyJournal, enter, type Journal, unresolved } from './journal.js'
import { inflict, type Misfortunes } from './misfortunes.js'
import { randomOf } from './random.js'
import { type RunningWriter, runWriter } from './run-writer.js'

export type RoundOptions = {
  readonly server: FaultServer
  /** The bundled program of a writer. */
  readonly program: string
  readonly seed: number
  readonly writers: number
  readonly forMs: number
  readonly crashes: boolean
}

export type RoundResult = {
  readonly misfortunes: Misfortunes
  /** Events of commands that a writer was told of as appended. */
  readonly acknowledged: number
  /** Commands of which nobody was told, and how many of them were in the ledger when they were sent again. */
  readonly unresolved: number
  readonly committedUntold: number
  readonly faults: ReadonlyArray<string>
}

/** One fresh ledger, some writers at once with misfortunes all the while; then everything that was said is checked. */
export const runRound = async (options: RoundOptions): Promise<RoundResult> => {
  const { server, seed } = options
  const database = `round_${seed}`
  await server.ask('', `drop database if exists ${database} with (force)`)
  await server.ask('', `create database ${database}`)
  const store = await openStore({ env: { DATABASE_URL: server.urlOf(database) } })
  try {
    const journal = emptyJournal()
    const { misfortunes, faults } = await letWrite(options, database, journal)
    const acknowledged = eventsAcknowledged(journal)
    const open = unresolved(journal)
    let committedUntold = 0
    for (const tried of open) {
      const said = await appendAndSay(store, tried)
      enter(journal, said)
      if (said.tag === 'acknowledged' && said.repeated) committedUntold += 1
      if (said.tag === 'unknown') faults.push(`${said.commandId} cannot be sent again: ${said.why}`)
    }
    for (const { kind, what } of await checkJournal(store, journal)) faults.push(`${kind}: ${what}`)
    const { differences } = await verifyChain(store.db)
    faults.push(...differences.map(({ position, what }) => `chain: position ${position}: ${what}`))
    return { misfortunes, acknowledged, unresolved: open.length, committedUntold, faults }
  } finally {
    await store.close()
    await server.ask('', `drop database ${database} with (force)`)
  }
}

const longestStartMs = 20_000
const longestEndMs = 30_000

const letWrite = async (
  { server, program, seed, writers, forMs, crashes }: RoundOptions,
  database: string,
  journal: Journal,
): Promise<{ readonly misfortunes: Misfortunes; readonly faults: Array<string> }> => {
  const random = randomOf(seed)
  const proxy = await startCuttingProxy(server.socket, () =>
    random.chance(0.2)
      ? { direction: random.chance(0.5) ? 'to-server' : 'to-client', afterBytes: random.below(30_000) }
      : null,
  )
  const url = server.urlOf(database, proxy.port)
  const running: Array<RunningWriter> = []
  const killed: Array<RunningWriter> = []
  const atWork = new Set<string>()
  let started = 0
  const start = (): RunningWriter => {
    started += 1
    const name = `w${started}`
    return runWriter(program, url, { name, seed: seed * 1000 + started * 10 }, (said) => {
      atWork.add(name)
      enter(journal, said)
    })
  }
  for (let n = 0; n < writers; n++) running.push(start())
  const killOne = (): void => {
    const place = random.below(running.length)
    const victim = running[place]
    if (victim === undefined) return
    victim.kill()
    killed.push(victim)
    running[place] = start()
  }
  try {
    // So many that start at once take the machine a while.
    const until = performance.now() + longestStartMs
    while (atWork.size < writers && performance.now() < until) await sleep(20)
    const misfortunes = await inflict(random, { server, proxy, database, killOne }, forMs, crashes)
    const faults: Array<string> = []
    for (const { how, stderr } of await Promise.all(running.map((writer) => writer.end(longestEndMs)))) {
      if (how !== 0) faults.push(`a writer ended with ${how}: ${stderr.slice(0, 300)}`)
    }
    // Their last words are still to be read.
    await Promise.all(killed.map((writer) => writer.end(longestEndMs)))
    return { misfortunes, faults }
  } finally {
    for (const writer of running) writer.kill()
    await proxy.close()
  }
}

const eventsAcknowledged = ({ tried, acknowledged }: Journal): number =>
  [...acknowledged.keys()].reduce((sum, commandId) => sum + (tried.get(commandId)?.events ?? 0), 0)

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
