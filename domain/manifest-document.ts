import * as t from 'io-ts'
import { dictionary, integerFrom, listOf, orNull, struct, such, tagged, withDefault } from './codecs.js'
import { isStorable } from './text.js'

/** No longer than a timer can hold (2^31 - 1 ms). */
const Seconds = integerFrom(1, 2_147_483)

const Text = such('text without NUL', t.string, isStorable)
const Words = such('a non-empty string without NUL', Text, (text) => text !== '')
const Title = such('1 to 200 characters on one line', Text, (text) => /^[^\p{Cc}]{1,200}$/u.test(text))
const Name = such("1 to 64 letters, digits, '-' and '_'", t.string, (text) =>
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text),
)

const Command = listOf(Text, 1, 500)
const InnerPath = such("a path without '..'", Words, (path) => !path.split('/').includes('..'))
const CheckoutGlob = such(
  "a glob from the checkout's root, without '..'",
  InnerPath,
  (glob) => !glob.startsWith('/'),
)

/**
 * Variables that would load code into a stage's programs, redirect its Git, or tell it where the
 * ledger is: no manifest lets them through.
 */
const keptFromStages = [
  /^(NODE_OPTIONS|DATABASE_URL)$/,
  /^(LD|DYLD|GIT|DOCKET)_/,
  /^PG(HOST|HOSTADDR|PORT|DATABASE|USER|PASSWORD|PASSFILE|SERVICE|SERVICEFILE|OPTIONS)$/,
]

const Variable = such(
  'the name of a variable that a stage may see',
  t.string,
  (name) => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) && !keptFromStages.some((kept) => kept.test(name)),
)

const AgentObject = struct('a command, or an object with command and env', {
  command: Command,
  env: withDefault(listOf(Variable, 0, 200), []),
})
const Agent = new t.Type<t.TypeOf<typeof AgentObject>, unknown>(
  AgentObject.name,
  AgentObject.is,
  (input, context) => AgentObject.validate(Array.isArray(input) ? { command: input } : input, context),
  AgentObject.encode,
)

const CheckCall = struct('a check with its args', {
  check: Words,
  args: withDefault(listOf(InnerPath, 0, 20), []),
})

const common = { name: Name, command: Command, timeout_seconds: orNull(Seconds) }

const Stage = tagged('a stage', 'kind', {
  writer: struct('a writer stage', { ...common, kind: t.literal('writer'), agent: orNull(Name) }),
  script: struct('a script stage', {
    ...common,
    kind: t.literal('script'),
    on_fail: orNull(t.literal('rework')),
    checks: withDefault(listOf(CheckCall, 0, 32), []),
  }),
  review: struct('a review stage', { ...common, kind: t.literal('review'), agent: orNull(Name) }),
})

/** The shape of a manifest key by key, with its defaults; what ties keys together is in `manifest-rules.ts`. */
export const ManifestDocument = struct('a manifest', {
  name: orNull(Title),
  limits: struct('the limits', {
    wall_clock_seconds: Seconds,
    writer_relaunches: integerFrom(0, 100),
    failed_rounds: integerFrom(0, 1000),
    fault_reruns: withDefault(integerFrom(0, 100), 3),
  }),
  rework_from: orNull(Name),
  agents: withDefault(dictionary('agents by name', Name, Agent), {}),
  isolation: withDefault(
    t.keyof({ required: null, preferred: null }, '"required" or "preferred"'),
    'preferred',
  ),
  ignores: withDefault(listOf(InnerPath, 0, 200), []),
  writable: withDefault(listOf(InnerPath, 0, 50), []),
  touches: withDefault(listOf(CheckoutGlob, 0, 500), []),
  stages: listOf(Stage, 1, 64),
})
