import * as t from 'io-ts'

/**
 * The oracle speaks newline-delimited JSON on stdio: one object a line in each direction, nothing
 * else on stdout. `describe` is Docket's own addition beside the frozen part.
 */
export type OracleRequest = {
  readonly id: string
  readonly html: string
  readonly engines?: ReadonlyArray<string>
}

export const OracleResponse = t.intersection(
  [
    t.type({ id: t.union([t.string, t.null]), dumps: t.record(t.string, t.unknown) }),
    t.partial({ errors: t.record(t.string, t.string) }),
  ],
  'OracleResponse',
)
export type OracleResponse = t.TypeOf<typeof OracleResponse>

export const OracleDescription = t.intersection(
  [
    t.type({
      id: t.string,
      ok: t.literal(true),
      protocol: t.number,
      platform: t.string,
      engines: t.record(t.string, t.type({ version: t.string, driver: t.string })),
    }),
    /** Why an engine did not start, by its name. */
    t.partial({ errors: t.record(t.string, t.string) }),
  ],
  'OracleDescription',
)
export type OracleDescription = t.TypeOf<typeof OracleDescription>
