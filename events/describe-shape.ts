import type * as t from 'io-ts'

/** The kinds of codec that events are made of, by the tag that io-ts gives each. */
type Known =
  | t.StringType
  | t.NumberType
  | t.BooleanType
  | t.NullType
  | t.UnknownType
  | t.LiteralType<string>
  | t.KeyofType<Record<string, unknown>>
  | t.ReadonlyArrayType<t.Mixed>
  | t.ArrayType<t.Mixed>
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.UnionType<Array<t.Mixed>>
  | t.ExactType<t.InterfaceType<t.Props>>
  | t.InterfaceType<t.Props>

/**
 * What data a codec takes, in words that are the same exactly when the shape is: `{ round: number, stage: string }`.
 * Throws for a kind of codec that no event has had so far.
 */
export const describeShape = (codec: t.Mixed): string => {
  // io-ts tells its codecs apart by this tag, which the common type does not show.
  const known = codec as unknown as Known
  switch (known._tag) {
    case 'StringType':
    case 'NumberType':
    case 'BooleanType':
    case 'NullType':
    case 'UnknownType':
      return known._tag === 'UnknownType' ? 'any JSON' : known.name
    case 'LiteralType':
      return JSON.stringify(known.value)
    case 'KeyofType':
      return Object.keys(known.keys)
        .map((key) => JSON.stringify(key))
        .join(' | ')
    case 'ReadonlyArrayType':
    case 'ArrayType':
      return `list of ${grouped(known.type)}`
    case 'DictionaryType':
      return `map of ${grouped(known.codomain)}`
    case 'UnionType':
      return known.types.map(describeShape).join(' | ')
    case 'ExactType':
      return describeShape(known.type)
    case 'InterfaceType':
      return `{ ${fieldsOf(known.props).join(', ')} }`
  }
}

/** The fields of an event's data with their shapes, in the order in which they are defined. */
const fieldsOf = (props: t.Props): ReadonlyArray<string> =>
  Object.entries(props).map(([name, codec]) => `${name}: ${describeShape(codec)}`)

const grouped = (codec: t.Mixed): string => {
  const shape = describeShape(codec)
  return shape.includes(' | ') && !shape.startsWith('{') ? `(${shape})` : shape
}
