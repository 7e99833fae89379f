import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe } from './decode.js'

/** What an object of codecs decodes to. */
type Decoded<P extends t.Props> = { readonly [K in keyof P]: t.TypeOf<P[K]> }

/**
 * An object with these keys and no others: each unknown key is an error at its own path. (`t.strict`
 * drops unknown keys without a word.) A key is optional when its codec takes `undefined`.
 */
export const struct = <P extends t.Props>(name: string, props: P): t.Type<Decoded<P>, unknown> => {
  const known = Object.keys(props)
  const validate: t.Validate<unknown, Decoded<P>> = (input, context) => {
    if (!isObject(input)) return t.failure(input, context)
    const errors: Array<t.ValidationError> = []
    const decoded: Record<string, unknown> = {}
    for (const [key, codec] of Object.entries(props)) {
      const value = Object.hasOwn(input, key) ? input[key] : undefined
      const result = codec.validate(value, t.appendContext(context, key, codec, value))
      if (E.isLeft(result)) errors.push(...result.left)
      else decoded[key] = result.right
    }
    for (const key of Object.keys(input)) {
      if (known.includes(key)) continue
      const place = t.appendContext(context, key, t.unknown, input[key])
      const message = `expected no such key (there are ${known.join(', ')}), got ${describe(input[key])}`
      errors.push({ value: input[key], context: place, message })
    }
    return errors.length > 0 ? t.failures(errors) : t.success(decoded as Decoded<P>)
  }
  const is = (input: unknown): input is Decoded<P> => E.isRight(validate(input, []))
  return new t.Type(name, is, validate, (value): unknown => value)
}

/** An object read by the codec that one of its keys names; an unknown name is one error, at that key. */
export const tagged = <C extends Readonly<Record<string, t.Mixed>>>(
  name: string,
  key: string,
  members: C,
): t.Type<t.TypeOf<C[keyof C]>, unknown> => {
  const names = Object.keys(members)
    .map((member) => JSON.stringify(member))
    .join(', ')
  const validate: t.Validate<unknown, t.TypeOf<C[keyof C]>> = (input, context) => {
    if (!isObject(input)) return t.failure(input, context)
    const tag = input[key]
    const member = typeof tag === 'string' && Object.hasOwn(members, tag) ? members[tag] : undefined
    if (member !== undefined) return member.validate(input, context)
    const place = t.appendContext(context, key, t.string, tag)
    return t.failures([
      { value: tag, context: place, message: `expected one of ${names}, got ${describe(tag)}` },
    ])
  }
  const is = (input: unknown): input is t.TypeOf<C[keyof C]> => E.isRight(validate(input, []))
  return new t.Type(name, is, validate, (value): unknown => value)
}

/**
 * An object whose keys are all taken by one codec and its values by another. (`t.record` drops the keys
 * that its domain refuses.)
 */
export const dictionary = <A>(
  name: string,
  keys: t.Type<string, unknown>,
  values: t.Type<A, unknown>,
): t.Type<Readonly<Record<string, A>>, unknown> => {
  const validate: t.Validate<unknown, Readonly<Record<string, A>>> = (input, context) => {
    if (!isObject(input)) return t.failure(input, context)
    const errors: Array<t.ValidationError> = []
    const decoded: Record<string, A> = {}
    for (const [key, value] of Object.entries(input)) {
      const asKey = keys.validate(key, t.appendContext(context, key, keys, key))
      const asValue = values.validate(value, t.appendContext(context, key, values, value))
      if (E.isLeft(asKey)) errors.push(...asKey.left)
      if (E.isLeft(asValue)) errors.push(...asValue.left)
      if (E.isRight(asKey) && E.isRight(asValue)) decoded[asKey.right] = asValue.right
    }
    return errors.length > 0 ? t.failures(errors) : t.success(decoded)
  }
  const is = (input: unknown): input is Readonly<Record<string, A>> => E.isRight(validate(input, []))
  return new t.Type(name, is, validate, (value): unknown => value)
}

/** A value that a predicate knows; `name` says what is expected. */
export const scalar = <A>(name: string, is: (input: unknown) => input is A): t.Type<A, unknown> =>
  new t.Type<A, unknown>(
    name,
    is,
    (input, context) => (is(input) ? t.success(input) : t.failure(input, context)),
    (value): unknown => value,
  )

/** The codec, or this value where there is nothing. */
export const withDefault = <A>(codec: t.Type<A, unknown>, value: A): t.Type<A, unknown> =>
  new t.Type<A, unknown>(
    codec.name,
    codec.is,
    (input, context) => (input === undefined ? t.success(value) : codec.validate(input, context)),
    codec.encode,
  )

/** The codec, or `null` for `null` and for nothing. */
export const orNull = <A>(codec: t.Type<A, unknown>): t.Type<A | null, unknown> =>
  new t.Type<A | null, unknown>(
    codec.name,
    (input): input is A | null => input === null || codec.is(input),
    (input, context) =>
      input === undefined || input === null ? t.success(null) : codec.validate(input, context),
    (value): unknown => (value === null ? null : codec.encode(value)),
  )

/** The codec, for the values that a predicate lets through; `name` says what is expected. */
export const such = <A>(
  name: string,
  codec: t.Type<A, unknown>,
  predicate: (value: A) => boolean,
): t.Type<A, unknown> => {
  const is = (input: unknown): input is A => codec.is(input) && predicate(input)
  return new t.Type<A, unknown>(
    name,
    is,
    (input, context) => {
      const result = codec.validate(input, context)
      return E.isRight(result) && !predicate(result.right) ? t.failure(input, context) : result
    },
    codec.encode,
  )
}

/** An integer in a range, both ends in it; so neither NaN nor an overflow such as `1e400`. */
export const integerFrom = (least: number, most: number): t.Type<number, unknown> =>
  such(
    `an integer from ${least} to ${most}`,
    t.number,
    (value) => Number.isInteger(value) && value >= least && value <= most,
  )

/** A list with a number of items in a range; every item is an error of its own when it is wrong. */
export const listOf = <A>(
  item: t.Type<A, unknown>,
  least: number,
  most: number,
): t.Type<ReadonlyArray<A>, unknown> => {
  const name = `a list of ${least} to ${most} items`
  const items = t.readonlyArray(item, name)
  return new t.Type<ReadonlyArray<A>, unknown>(
    name,
    items.is,
    (input, context) => {
      const result = items.validate(input, context)
      if (!Array.isArray(input) || (input.length >= least && input.length <= most)) return result
      return t.failures([{ value: input, context }, ...(E.isLeft(result) ? result.left : [])])
    },
    items.encode,
  )
}

export const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
