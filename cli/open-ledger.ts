import { defaultLedger, ledgerOf } from '../events/store/ledger-name.js'
import { type OpenedStore, openStore } from '../events/store/open-store.js'

/**
 * Opens the ledger that the environment names, lends it to `use`, and closes it whatever happens. One with a name of
 * its own is made by the commands that fill it alone: a slip in its name must not show an empty ledger.
 */
export const withLedger = async <A>(
  use: (store: OpenedStore) => Promise<A>,
  { make = false }: { readonly make?: boolean } = {},
): Promise<A> => {
  const store = await openStore({ make: make || ledgerOf(process.env) === defaultLedger })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
