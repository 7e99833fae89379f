import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Value } from './agreement.js'
import { integerFrom, listOf, scalar, such } from './codecs.js'
import { decodeWith, renderViolation } from './decode.js'

/** A page, and what a decision predicts that each browser reports for it. */
export type Probe = { readonly html: string; readonly expect: ReadonlyArray<Expectation> }

export type Expectation = {
  /** Index in the dump's nodes, from 0. */
  readonly node: number
  /** `bounding.x|y|w|h` and `rects.length` are numbers, `style.<property>` is a string. */
  readonly field: string
  readonly value: Value
}

/**
 * Reads the probe of a decision. `Left` says all that is wrong with it on one line: such a probe is
 * never asked, and leaves its decision unchecked. Keys that mean nothing here are let pass.
 */
export const readProbe = (input: unknown): E.Either<string, Probe> => {
  if (input === undefined || input === null) return E.left('there is no probe')
  return pipe(
    input,
    decodeWith(ProbeDocument),
    E.bimap(
      (violations) => violations.map(renderViolation).join('; '),
      ({ html, expect }) => ({
        html,
        expect: expect.map(({ node, field, value }) => ({ node, field, value })),
      }),
    ),
  )
}

const Field = such('bounding.x, .y, .w or .h, rects.length or style.<property>', t.string, (field) =>
  /^(bounding\.[xywh]|rects\.length|style\.-{0,2}[A-Za-z][A-Za-z0-9-]{0,99})$/.test(field),
)

const FieldValue = scalar(
  'a finite number or a string',
  (input): input is Value => typeof input === 'string' || Number.isFinite(input),
)

const Expectation: t.Type<Expectation, unknown> = t.type(
  { node: integerFrom(0, 1_000_000), field: Field, value: FieldValue },
  'an object with node, field and value',
)

const ProbeDocument: t.Type<Probe, unknown> = t.type(
  { html: t.string, expect: listOf(Expectation, 1, 200) },
  'an object with html and expect',
)
