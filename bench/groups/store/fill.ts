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

const fillOne = async ({ append }: Side<unknown>, jobs: number): Promise<number> => {
  let left = jobs
  const write = async (): Promise<void> => {
    while (left-- > 0) await append(randomUUID(), 0, job)
  }
  await Promise.all(Array.from({ length: 8 }, write))
  return jobs * job.length
}
