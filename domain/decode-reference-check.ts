import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Value } from './agreement.js'
import { scalar, withDefault } from './codecs.js'
import { decodeWith, type Violation } from './decode.js'
import type { ReferenceCheck, Rule } from './reference-check.js'

/**
 * Reads a parsed `reference-check.json`, whoever wrote it: what a check does not need to give its
 * verdict (`detail`, `fields`, the reported values) may be left out, and keys beyond the format pass.
 */
export const decodeReferenceCheck = (input: unknown): Either<ReadonlyArray<Violation>, ReferenceCheck> =>
  decodeWith(ReferenceCheckFile)(input)

const isValue = (input: unknown): input is Value => typeof input === 'number' || typeof input === 'string'

const FieldValue = scalar('a number or a string', isValue)
const MaybeValue = withDefault(
  scalar('a number, a string or null', (input): input is Value | null => input === null || isValue(input)),
  null,
)
const MaybeRule = withDefault(
  scalar(
    'majority, chromium-default or null',
    (input): input is Rule | null => input === null || input === 'majority' || input === 'chromium-default',
  ),
  null,
)

const Field = t.type(
  {
    node: t.number,
    field: t.string,
    expected: FieldValue,
    reported: withDefault(
      t.type({ chromium: MaybeValue, firefox: MaybeValue, webkit: MaybeValue }, "each browser's value"),
      { chromium: null, firefox: null, webkit: null },
    ),
    reference: MaybeValue,
    rule: MaybeRule,
  },
  'a field',
)

const Outcome = t.keyof({ agrees: null, disagrees: null, unchecked: null }, 'agrees, disagrees or unchecked')

const CheckedDecision = t.type(
  {
    id: t.string,
    outcome: Outcome,
    detail: withDefault(t.string, ''),
    fields: withDefault(t.readonlyArray(Field, 'a list of fields'), []),
  },
  'a checked decision',
)

const ReferenceCheckFile: t.Type<ReferenceCheck, unknown, unknown> = t.type(
  { format: t.literal(1), decisions: t.readonlyArray(CheckedDecision, 'a list of checked decisions') },
  'a reference check of format 1',
)
