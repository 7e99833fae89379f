import { randomUUID } from 'node:crypto'
import { jobOf, output } from './job.js'
import type { Pair, Side } from './pair.js'

const job = jobOf(3)

/** Fills both with jobs of three rounds, and returns how many events that made of each. */
export const fill = async (
  { docket, peer }: Pair,
  jobs: { readonly docket: number; readonly peer: number },
): Promise<{ readonly docket: number; readonly peer: number }> => {
  await docket.store.putArtifact(output)
  return { docket: await fillOne(docket, jobs.docket), peer: await fillOne(peer, jobs.peer) }
}

/**
 * One job after the other: the peer reads by transaction and position but asks for what is after a position, so
 * that of events which were written at the same time it would leave some out.
 */
const fillOne = async ({ append }: Side<unknown>, jobs: number): Promise<number> => {
  for (let filled = 0; filled < jobs; filled++) await append(randomUUID(), 0, job)
  return jobs * job.length
}
