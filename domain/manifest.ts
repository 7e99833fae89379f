import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { decodeWith, type Violation } from './decode.js'
import { readJson } from './json.js'
import { ManifestDocument } from './manifest-document.js'
import { brokenRules } from './manifest-rules.js'

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

/** Bytes; a manifest that is longer is not read. */
export const manifestMaxBytes = 1024 * 1024

/** Reads the bytes of a manifest; `Left` lists everything that is wrong with it. */
export const readManifest = (bytes: Uint8Array): E.Either<ReadonlyArray<Violation>, Manifest> =>
  pipe(readJson(bytes, 32), E.chain(decodeManifest))

/**
 * Decodes a parsed manifest and fills in its defaults. `Left` lists every violation at once, each with
 * its path: first those of shape, then those between keys. Decoding what it gave gives the same again.
 */
export const decodeManifest = (input: unknown): E.Either<ReadonlyArray<Violation>, Manifest> => {
  const decoded = decodeWith(ManifestDocument)(input)
  const broken = brokenRules(input)
  if (E.isLeft(decoded)) return E.left([...decoded.left, ...broken])
  return broken.length > 0 ? E.left(broken) : decoded
}
