/** Numbers that a seed decides. */
export type Random = {
  /** An integer from 0 up to and without `end`. */
  readonly below: (end: number) => number
  readonly chance: (probability: number) => boolean
}

/** The generator `mulberry32`: 32 bits of state, enough to choose misfortunes by. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
  }
}
