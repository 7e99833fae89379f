/** One measured figure beside a peer's, both medians of runs that took turns. */
export type Row = {
  readonly row: string
  readonly unit: string
  readonly docket: number
  readonly peer: number | null
  /** Docket's figure over the peer's. */
  readonly ratio: number | null
  /** What we want of it, in words. */
  readonly wanted: string
}

export type Group = () => Promise<ReadonlyArray<Row>>

/** The middle of an odd number of runs, the mean of the two in the middle of an even one. */
const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const above = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + above) / 2 : above
}

/** Milliseconds of both, in turns, so that a noisy moment of the machine meets both. */
export const inTurns = async (
  runs: number,
  docket: () => Promise<unknown>,
  peer: () => Promise<unknown>,
): Promise<{ readonly docket: number; readonly peer: number }> => {
  const own: Array<number> = []
  const others: Array<number> = []
  await docket()
  await peer()
  for (let run = 0; run < runs; run++) {
    own.push(await timed(docket))
    others.push(await timed(peer))
  }
  return { docket: median(own), peer: median(others) }
}

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

export const rowOf = (
  row: string,
  unit: string,
  measured: { readonly docket: number; readonly peer: number | null },
  wanted: string,
): Row => ({
  row,
  unit,
  docket: rounded(measured.docket),
  peer: measured.peer === null ? null : rounded(measured.peer),
  ratio: measured.peer === null ? null : rounded(measured.docket / measured.peer),
  wanted,
})

const rounded = (value: number): number => Number(value.toPrecision(4))
