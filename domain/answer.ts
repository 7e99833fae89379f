import type { Engine } from './engine.js'

/** One reported value, in the terms of an expectation's field; `null` when the browser has none. */
export type Reported = number | string | null

/**
 * What one browser said about one probe, cut down to what its expectations ask for. `values` has
 * one entry per expectation, in their order. When `error` is set the browser did not answer, and
 * every value is `null`.
 */
export type EngineAnswer = {
  readonly version: string
  readonly values: ReadonlyArray<Reported>
  readonly nodes: number
  readonly overflowed: boolean
  readonly error: string | null
}

/**
 * The answers of the three browsers to one probe. `shapesDiffer` tells that the sequences of
 * `(tag, depth, parent)` are not the same in all that answered, so one index may name different
 * elements.
 */
export type Answers = {
  readonly engines: Readonly<Record<Engine, EngineAnswer>>
  readonly shapesDiffer: boolean
}
