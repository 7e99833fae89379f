import * as E from 'fp-ts/lib/Either.js'
import type { RecordedEvent } from '../events/envelope.js'
import { readEvent } from '../events/read-event.js'
import type { Recorded } from '../events/recorded.js'
import { type Difference, type Verified, verifyChain } from '../events/store/verify-chain.js'
import type { LedgerDb } from './read-model/ledger-db.js'
import { readModels } from './read-models.js'
import { verifyArtifacts } from './verify-artifacts.js'
import { verifyVerdicts } from './verify-verdicts.js'

/**
 * The chain, then every artifact by its hash, every event read with its codec, every stored document of a read model folded again, and
 * every verdict of a reference check decided again from the recorded answers.
 */
export const verifyLedger = async (
  ledger: LedgerDb,
  onProgress: (position: number) => void,
): Promise<Verified> => {
  const chain = await verifyChain(ledger.db, onProgress)
  const { events, unreadable } = await readEverything(ledger)
  const differences = [...chain.differences, ...unreadable]
  differences.push(...(await verifyArtifacts(ledger.db, events)))
  if (unreadable.length === 0) {
    const position = events.at(-1)?.position ?? 0
    for (const model of readModels) {
      const keys = await model.differing(ledger, events)
      const what = (key: string): string =>
        `read model ${model.name} holds another ${key} than the events give`
      differences.push(...keys.map((key) => ({ position, what: what(key) })))
    }
    differences.push(...verifyVerdicts(events))
  }
  return { events: chain.events, differences }
}

type Read = { readonly events: ReadonlyArray<Recorded>; readonly unreadable: ReadonlyArray<Difference> }

const readEverything = async ({ store }: LedgerDb): Promise<Read> => {
  const events: Array<Recorded> = []
  const unreadable: Array<Difference> = []
  for (let batch: ReadonlyArray<RecordedEvent> = []; ; ) {
    batch = await store.readAll(batch.at(-1)?.position ?? 0, 1000)
    if (batch.length === 0) return { events, unreadable }
    for (const recorded of batch) {
      const read = readEvent(recorded)
      if (E.isRight(read)) events.push(read.right)
      else unreadable.push({ position: read.left.position, what: read.left.reasons.join('; ') })
    }
  }
}
