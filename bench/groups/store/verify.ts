import { type Verified, verifyChain } from '../../../events/store/verify-chain.js'
import { readModels } from '../../../projections/read-models.js'
import { verifyLedger } from '../../../projections/verify-ledger.js'
import { median, type Row, rowOf, timed } from '../../measure.js'
import { fill } from './fill.js'
import { withPair } from './pair.js'

/** Events a second whose links, and then all that is derived from them, are computed again. The peer has neither. */
export const verifyRows = (server: string): Promise<ReadonlyArray<Row>> =>
  withPair(server, async (pair) => {
    await fill(pair, { docket: 400, peer: 0 })
    const { store } = pair.docket
    const ledger = { store, db: store.db }
    for (const model of readModels) await model.rebuild(ledger, () => {})
    const wanted = 'over 100,000'
    return [
      rowOf('verify the chain', 'events/s', await rateOf(() => verifyChain(store.db)), wanted),
      rowOf('verify the ledger', 'events/s', await rateOf(() => verifyLedger(ledger, () => {})), wanted),
    ]
  })

const rateOf = async (
  verify: () => Promise<Verified>,
): Promise<{ readonly docket: number; readonly peer: null }> => {
  const rates: Array<number> = []
  for (let run = 0; run < 4; run++) {
    let events = 0
    const ms = await timed(async () => {
      const verified = await verify()
      const [difference] = verified.differences
      if (difference !== undefined) throw new Error(`the ledger does not hold: ${difference.what}`)
      events = verified.events
    })
    if (run > 0) rates.push(events / (ms / 1000))
  }
  return { docket: median(rates), peer: null }
}
