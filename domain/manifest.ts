/** What a job does, decoded from its manifest with every default filled in. Times are seconds. */
export type Manifest = {
  readonly name: string | null
  readonly limits: {
    readonly wall_clock_seconds: number
    readonly writer_relaunches: number
    readonly failed_rounds: number
    readonly fault_reruns: number
  }
  readonly rework_from: string | null
  readonly agents: Readonly<Record<string, Agent>>
  readonly isolation: 'required' | 'preferred'
  readonly ignores: ReadonlyArray<string>
  readonly writable: ReadonlyArray<string>
  readonly touches: ReadonlyArray<string>
  readonly stages: ReadonlyArray<Stage>
}

/** A program that reads its brief or prompt on stdin; `env` names the variables let through. */
export type Agent = { readonly command: ReadonlyArray<string>; readonly env: ReadonlyArray<string> }

export type Stage = WriterStage | ScriptStage | ReviewStage

type StageBase = {
  readonly name: string
  readonly command: ReadonlyArray<string>
  readonly timeout_seconds: number | null
}
export type WriterStage = StageBase & { readonly kind: 'writer'; readonly agent: string | null }
export type ReviewStage = StageBase & { readonly kind: 'review'; readonly agent: string | null }
export type ScriptStage = StageBase & {
  readonly kind: 'script'
  readonly on_fail: 'rework' | null
  readonly checks: ReadonlyArray<CheckCall>
}

export type CheckCall = { readonly check: string; readonly args: ReadonlyArray<string> }
