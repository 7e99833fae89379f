import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decodeWith, renderViolation, type Violation } from '../../domain/decode.js'

/**
 * An export: lines of JSON, each an object whose `line` says what it holds. The header is the first, the end the
 * last. `docs/export.md` describes it.
 */
export const formatName = 'docket-export'
export const formatVersion = 1

const position = t.number
/** A SHA-256 in hex. */
const sha256 = t.string

const Header = t.strict(
  {
    line: t.literal('header'),
    format: t.literal(formatName),
    version: t.literal(formatVersion),
    ledger: t.string,
    /** The format of its chain. */
    chain: t.literal(1),
    /** The head that it was taken at. */
    position,
    hash: sha256,
    /** The job that it holds alone; null for the whole ledger. */
    job: t.union([t.string, t.null]),
    /** Whether links lead from its events to the head; those of a whole ledger do by themselves. */
    proof: t.boolean,
  },
  'header line',
)

const Stream = t.strict({ line: t.literal('stream'), stream: t.string, epoch: t.number }, 'stream line')

const Event = t.strict(
  {
    line: t.literal('event'),
    position,
    stream: t.string,
    version: t.number,
    /** Microseconds since 1970. */
    at: t.number,
    /** What its command was known by, at the first event of a command. */
    request: t.union([sha256, t.null]),
    /** The link before it, where the event before it is not in the export. */
    previous: t.union([sha256, t.null]),
    eventHash: sha256,
    hash: sha256,
    /** What was hashed, as RFC 8785 writes it. */
    event: t.UnknownRecord,
  },
  'event line',
)

/** Events of other streams between those of a job, as what their links were made from: 80 bytes each, in base64. */
const Links = t.strict({ line: t.literal('links'), from: position, leaves: t.string }, 'links line')

/** A piece of an artifact, in base64; Docket writes a mebibyte at most. Those of one follow one another. */
const Artifact = t.strict(
  { line: t.literal('artifact'), sha256, size: t.number, bytes: t.string },
  'artifact line',
)

/** Over every line before it, each with its line feed. */
const End = t.strict({ line: t.literal('end'), events: t.number, artifacts: t.number, sha256 }, 'end line')

export type HeaderLine = t.TypeOf<typeof Header>
export type EventLine = t.TypeOf<typeof Event>
export type ArtifactLine = t.TypeOf<typeof Artifact>
export type EndLine = t.TypeOf<typeof End>
export type ExportLine =
  | HeaderLine
  | t.TypeOf<typeof Stream>
  | EventLine
  | t.TypeOf<typeof Links>
  | ArtifactLine
  | EndLine

const codecs: Readonly<Record<ExportLine['line'], t.Decoder<unknown, ExportLine>>> = {
  header: Header,
  stream: Stream,
  event: Event,
  links: Links,
  artifact: Artifact,
  end: End,
}

/** Reads one line; `Left` says what is wrong with it. */
export const parseLine = (text: string): E.Either<string, ExportLine> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return E.left('it is no JSON')
  }
  const kind = typeof json === 'object' && json !== null && 'line' in json ? json.line : undefined
  if (typeof kind !== 'string' || !Object.hasOwn(codecs, kind)) return E.left('it is no line of an export')
  const codec = codecs[kind as ExportLine['line']]
  return E.mapLeft(toldAll)(decodeWith(codec)(json))
}

const toldAll = (violations: ReadonlyArray<Violation>): string => violations.map(renderViolation).join('; ')
