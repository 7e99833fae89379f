import { type OpenedStore, openStore } from '../events/store/open-store.js'

/** Opens the ledger that the environment names, lends it to `use`, and closes it whatever happens. */
export const withLedger = async <A>(use: (store: OpenedStore) => Promise<A>): Promise<A> => {
  const store = await openStore()
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
