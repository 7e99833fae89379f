/**
 * A writer's call on a question that the spec leaves open, as it stands in `decisions.json`.
 * `probe` is kept as the JSON that the writer wrote: a malformed probe does not make the file
 * malformed, it makes its decision `unchecked` (see `probe.ts`).
 */
export type Decision = {
  readonly id: string
  readonly question: string
  readonly spec: string
  readonly choice: string
  readonly probe: unknown
  readonly sources: ReadonlyArray<string>
}

/** The decisions of a job at one moment, in the order of the file. */
export type Decisions = ReadonlyArray<Decision>
