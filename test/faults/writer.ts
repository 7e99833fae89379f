import { writeSync } from 'node:fs'
import { type OpenedStore, openStore } from '../../events/store/open-store.js'
import { StoreUnavailable } from '../../events/store/store-unavailable.js'
import { appendAndSay } from './append-and-say.js'
import { type Random, randomOf } from './random.js'
import type { Said, Tried } from './said.js'

/**
 * A process that appends until its input ends, and says on its output what it tries and what it was answered.
 * Arguments: its name and its seed. The ledger is that of the environment.
 */
const [name = 'writer', seed = '0'] = process.argv.slice(2)

let ending = false
process.stdin.once('end', () => {
  ending = true
})
process.stdin.resume()

/** At once, so that a kill takes nothing that was said. */
const say = (said: Said): void => {
  writeSync(1, `${JSON.stringify(said)}\n`)
}

/** The server may be down just now; null when that lasts until the end. */
const open = async (): Promise<OpenedStore | null> => {
  while (!ending) {
    try {
      return await openStore()
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return null
}

/** Several go on at once, so that their appends meet. */
const write = async (store: OpenedStore, lane: number): Promise<void> => {
  const random = randomOf(Number(seed) + lane)
  const own = { stream: `own-${name}-${lane}`, version: 0 }
  let last: Tried | null = null
  for (let n = 0; !ending; n++) {
    const again: Tried | null = last !== null && random.chance(0.1) ? last : null
    const tried: Tried = again ?? { commandId: `${name}-${lane}-${n}`, ...next(random, own) }
    const said = await tryUntilKnown(store, tried)
    if (said.tag === 'acknowledged' && again === null) {
      last = tried
      if (tried.stream === own.stream) own.version += tried.events
    }
  }
}

const next = (
  random: Random,
  own: { readonly stream: string; readonly version: number },
): Omit<Tried, 'commandId'> => {
  const events = random.chance(0.02) ? 150 : random.chance(0.3) ? 2 + random.below(8) : 1
  if (random.chance(0.5)) return { stream: own.stream, expected: own.version, events }
  const stream = `shared-${random.below(5)}`
  // Some expect what is hardly ever so, and must fail alone.
  return random.chance(0.1)
    ? { stream, expected: random.below(20), events }
    : { stream, expected: 'any', events }
}

/** The server may be down for longer than an append waits: the same command is sent until the answer is known. */
const tryUntilKnown = async (store: OpenedStore, tried: Tried): Promise<Said> => {
  say({ tag: 'tried', tried })
  for (;;) {
    const said = await appendAndSay(store, tried)
    say(said)
    if (said.tag !== 'unknown' || ending) return said
  }
}

const store = await open()
if (store !== null) {
  await Promise.all([0, 1, 2].map((lane) => write(store, lane)))
  await store.close()
}
