/** The ledger that an environment names. */
export const ledgerOf = ({ DOCKET_LEDGER: name = '' }: NodeJS.ProcessEnv): string =>
  name === '' ? defaultLedger : name

export const defaultLedger = 'docket'

/** Why no ledger can have a name; null for one that can. */
export const wrongName = (name: string): string | null => {
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(name)) {
    return `${JSON.stringify(name)} is no name for a ledger: up to 31 of a-z, 0-9 and _, a letter first`
  }
  return name === 'public' || name === 'information_schema' || name.startsWith('pg_')
    ? `${name} is no name for a ledger: PostgreSQL keeps it for itself`
    : null
}
