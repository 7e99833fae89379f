import * as E from 'fp-ts/lib/Either.js'
import type { Difference } from '../events/chain.js'
import type { Recorded } from '../events/recorded.js'
import { readKept } from '../events/store/read-kept.js'
import { type Verified, verifyChain } from '../events/store/verify-chain.js'
import type { LedgerDb } from './read-model/ledger-db.js'
import { readModels } from './read-models.js'
import { artifactsNamed, verifyArtifacts } from './verify-artifacts.js'
import { verdictsAgain } from './verify-verdicts.js'

/**
 * One walk over the ledger: the chain, every event read with its codec, every verdict of a reference check decided
 * again from the recorded answers, every document of a read model folded again. Then every artifact by its hash.
 * A stream with an event that cannot be read is told by that event's position, and not folded.
 */
export const verifyLedger = async (
  ledger: LedgerDb,
  onProgress: (position: number) => void,
): Promise<Verified> => {
  const differences: Array<Difference> = []
  const unreadable = new Set<string>()
  const named = artifactsNamed()
  const verdicts = verdictsAgain()
  const models = readModels.map((model) => ({ name: model.name, fold: model.foldAgain() }))

  const take = (event: Recorded): void => {
    named.take(event)
    if (unreadable.has(event.stream)) return
    differences.push(...verdicts.take(event))
    for (const { fold } of models) fold.take(event)
  }
  const chain = await verifyChain(ledger.db, (events) => {
    for (const kept of events) {
      const read = readKept(kept)
      if (E.isRight(read)) take(read.right)
      else {
        unreadable.add(kept.stream)
        differences.push({ position: kept.position, what: read.left.reasons.join('; ') })
      }
    }
    onProgress(events.at(-1)?.position ?? 0)
  })

  for (const { name, fold } of models) {
    const { position, keys } = await fold.differing(ledger, chain.events, unreadable)
    const what = (key: string): string => `read model ${name} holds another ${key} than the events give`
    differences.push(...keys.map((key) => ({ position, what: what(key) })))
  }
  differences.push(...(await verifyArtifacts(ledger.db, named.all())))
  const all = [...chain.differences, ...differences].sort((a, b) => a.position - b.position)
  return { events: chain.events, differences: all }
}
