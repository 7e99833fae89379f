import { createReadStream } from 'node:fs'
import type { Difference } from '../events/chain.js'
import type { Head } from '../events/store/event-store.js'
import { BadExport } from '../events/transfer/bad-export.js'
import type { HeaderLine } from '../events/transfer/format.js'
import { type VerifiedExport, verifyExport } from '../projections/verify-export.js'
import { withRegularFile } from './regular-file.js'

/** An export held against its own hashes, and against a head that was kept elsewhere. */
export const verifyFile = async (given: string, kept: Head | null) => {
  const verified = await withRegularFile(given, (path) =>
    verifyExport(createReadStream(path), { linkAt: kept?.position }),
  ).catch((cause: unknown) => {
    throw cause instanceof BadExport ? new BadExport(`${given}: ${cause.message}`, { cause }) : cause
  })
  const { header, events, artifacts } = verified
  const { ledger, position, hash, job, proof } = header
  const differences = [...(kept === null ? [] : compareExport(verified, kept)), ...verified.differences]
  const summary = `${what(header)}: ${events} events and ${artifacts} artifacts, ${proof ? 'linked to' : 'taken at'} position ${position}, head ${hash}`
  return { summary, ledger, job, proof, position, hash, events, artifacts, differences }
}

const what = ({ job, ledger }: HeaderLine): string =>
  job === null ? `ledger ${ledger}` : `job ${job} of ledger ${ledger}`

type Linked = Pick<VerifiedExport, 'linkThere'> & {
  readonly header: Pick<HeaderLine, 'ledger' | 'position' | 'proof'>
}

/** Holds what links lead from and to against a head that was kept. */
export const compareExport = ({ header, linkThere }: Linked, kept: Head): ReadonlyArray<Difference> => {
  const { position } = kept
  const differs = (what: string): ReadonlyArray<Difference> => [{ position, what }]
  if (header.ledger !== kept.ledger) return differs(`this is of another ledger, ${header.ledger}`)
  if (linkThere === kept.hash) return []
  if (linkThere !== null) return differs(`the link is ${linkThere}, and ${kept.hash} was kept`)
  if (header.position < position) return differs(`it was taken before, at position ${header.position}`)
  return differs(
    header.proof
      ? 'the job began after it, so nothing here leads there: keep a later head'
      : 'it has no proof, so nothing leads there: export the job without --no-proof',
  )
}
