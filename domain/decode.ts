import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/**
 * One thing wrong with a document. `path` is the place in it as a reader would write it
 * (`stages[1].checks[0].args`), empty for the document as a whole.
 */
export type Violation = { readonly path: string; readonly message: string }

/** Decodes with a codec, and tells everything that is wrong, in the order of the codec. */
export const decodeWith =
  <A>(codec: t.Decoder<unknown, A>) =>
  (input: unknown): E.Either<ReadonlyArray<Violation>, A> =>
    pipe(codec.decode(input), E.mapLeft(violationsOf))

/** `path: expected X, got Y`. */
export const renderViolation = ({ path, message }: Violation): string =>
  path === '' ? message : `${path}: ${message}`

/** The place of a key below a path: `a.b`, `a[0]`, or `a["odd key"]`. */
export const pathBelow = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${shorten(JSON.stringify(key))}]`
  return path === '' ? key : `${path}.${key}`
}

/** A value as an error names it: short, on one line, and never the whole of a large document. */
export const describe = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return shorten(JSON.stringify(value))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

const violationsOf = (errors: t.Errors): ReadonlyArray<Violation> => {
  const located = errors.map(locate)
  const deeper = new Set(located.filter((error) => !error.ofUnion).flatMap((error) => error.unions))
  const seen = new Set<string>()
  return located.flatMap(({ path, message, ofUnion, unions }) => {
    const innermost = unions.at(-1)
    if (ofUnion && innermost !== undefined && deeper.has(innermost)) return []
    const rendered = renderViolation({ path, message })
    if (seen.has(rendered)) return []
    seen.add(rendered)
    return [{ path, message }]
  })
}

type Located = Violation & {
  /** Said once for the union, and not once for each of its members. */
  readonly ofUnion: boolean
  /** The places of the unions that the error lies in, outermost first. */
  readonly unions: ReadonlyArray<string>
}

/**
 * io-ts keeps the members of a union or an intersection as steps of the context, numbered; they are
 * no places in the document.
 */
const locate = (error: t.ValidationError): Located => {
  const unions: Array<string> = []
  let path = ''
  let ofUnion = false
  let expected = error.context.at(-1)?.type.name ?? 'something else'
  for (const [step, entry] of error.context.entries()) {
    const parent = error.context[step - 1]
    if (parent === undefined) continue
    if (parent.type instanceof t.UnionType) {
      unions.push(path)
      if (step === error.context.length - 1) {
        ofUnion = true
        expected = parent.type.name
      }
    } else if (!(parent.type instanceof t.IntersectionType)) {
      path = pathBelow(path, Array.isArray(parent.actual) ? Number(entry.key) : entry.key)
    }
  }
  const message = error.message ?? `expected ${expected}, got ${describe(error.value)}`
  return { path, message, ofUnion, unions }
}

const shorten = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 76)}...`)
