import * as t from 'io-ts'
import type { Manifest } from '../../domain/manifest.js'

const stageBase = {
  name: t.string,
  command: t.readonlyArray(t.string),
  timeout_seconds: t.union([t.number, t.null]),
}
const agent = t.union([t.string, t.null])

/** The decoded manifest as an event holds it: with its defaults, so that a later default changes nothing. */
export const ManifestValue: t.Type<Manifest, unknown> = t.strict(
  {
    name: t.union([t.string, t.null]),
    limits: t.strict({
      wall_clock_seconds: t.number,
      writer_relaunches: t.number,
      failed_rounds: t.number,
      fault_reruns: t.number,
    }),
    rework_from: t.union([t.string, t.null]),
    agents: t.record(
      t.string,
      t.strict({ command: t.readonlyArray(t.string), env: t.readonlyArray(t.string) }),
    ),
    isolation: t.keyof({ required: null, preferred: null }),
    ignores: t.readonlyArray(t.string),
    writable: t.readonlyArray(t.string),
    touches: t.readonlyArray(t.string),
    stages: t.readonlyArray(
      t.union([
        t.strict({ kind: t.literal('writer'), ...stageBase, agent }),
        t.strict({
          kind: t.literal('script'),
          ...stageBase,
          on_fail: t.union([t.literal('rework'), t.null]),
          checks: t.readonlyArray(t.strict({ check: t.string, args: t.readonlyArray(t.string) })),
        }),
        t.strict({ kind: t.literal('review'), ...stageBase, agent }),
      ]),
    ),
  },
  'Manifest',
)
