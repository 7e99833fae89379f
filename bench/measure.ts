import { availableParallelism } from 'node:os'

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
  /** What was done, where the row's name does not tell; rows may share it. */
  readonly note: string
}

export type Measured = {
  /** On what it was measured, for whoever compares two runs. */
  readonly about: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

export type Group = () => Promise<Measured>

/** The part of a line of `about` that every group has. */
export const machine = (): string => `${availableParallelism()} cores, Node.js ${process.versions.node}`

/** The value below which a share of them lies; the middle one of an even number is the upper. */
export const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle of an odd number of runs, the mean of the two in the middle of an even one. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const above = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + above) / 2 : above
}

/**
 * The medians of what both report, in turns, so that a noisy moment of the machine meets both. One run of each goes
 * before and does not count.
 */
export const inTurns = async (
  runs: number,
  docket: () => Promise<number>,
  peer: () => Promise<number>,
): Promise<{ readonly docket: number; readonly peer: number }> => {
  const own: Array<number> = []
  const others: Array<number> = []
  await docket()
  await peer()
  for (let run = 0; run < runs; run++) {
    own.push(await docket())
    others.push(await peer())
  }
  return { docket: median(own), peer: median(others) }
}

/** How many milliseconds it takes. */
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
  note = '',
): Row => ({
  row,
  unit,
  docket: rounded(measured.docket),
  peer: measured.peer === null ? null : rounded(measured.peer),
  ratio: measured.peer === null ? null : rounded(measured.docket / measured.peer),
  wanted,
  note,
})

const rounded = (value: number): number => Number(value.toPrecision(4))
