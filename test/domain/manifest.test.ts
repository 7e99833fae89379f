import test from 'ava'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { renderViolation } from '../../domain/decode.js'
import { decodeManifest, type Manifest, readManifest } from '../../domain/manifest.js'
import { bytesOf } from './examples.js'

const reference = {
  name: 'reference',
  kind: 'script',
  on_fail: 'rework',
  command: ['{tools}/reference-check.sh'],
  checks: [{ check: 'reference', args: ['{state}/reference-check.json', '{state}/decisions.json'] }],
}

/** The shape of the seed's example: nothing but what was there before Docket. */
const plain = {
  limits: { wall_clock_seconds: 5400, writer_relaunches: 1, failed_rounds: 2 },
  rework_from: 'write',
  stages: [
    { name: 'write', kind: 'writer', agent: 'writer', command: ['{agent}'] },
    { name: 'test', kind: 'script', on_fail: 'rework', command: ['npm', 'test'] },
    reference,
    { name: 'measure', kind: 'script', command: ['node', 'measure.js'] },
    { name: 'review', kind: 'review', agent: 'review', command: ['{agent}'] },
  ],
}

const violations = (document: unknown): ReadonlyArray<string> => {
  const decoded = decodeManifest(document)
  return E.isLeft(decoded) ? decoded.left.map(renderViolation) : []
}

const manifest = (document: unknown): Manifest => {
  const decoded = decodeManifest(document)
  if (E.isLeft(decoded)) throw new Error(decoded.left.map(renderViolation).join('\n'))
  return decoded.right
}

const withStages = (...stages: ReadonlyArray<object>): object => ({
  ...plain,
  rework_from: undefined,
  stages,
})

test('a manifest without any optional key is valid, and gets the defaults', (t) => {
  const decoded = manifest(plain)
  t.like(decoded, {
    name: null,
    limits: { fault_reruns: 3 },
    agents: {},
    isolation: 'preferred',
    ignores: [],
    writable: [],
    touches: [],
  })
  t.deepEqual(decoded.stages[3], {
    name: 'measure',
    kind: 'script',
    command: ['node', 'measure.js'],
    timeout_seconds: null,
    on_fail: null,
    checks: [],
  })
})

test('every optional key is taken, and an agent may be a plain command', (t) => {
  const decoded = manifest({
    ...plain,
    name: 'Percentage boxes',
    limits: { ...plain.limits, fault_reruns: 0 },
    agents: { writer: ['node', 'writer.js'], review: { command: ['review'], env: ['API_KEY'] } },
    isolation: 'required',
    ignores: ['out/**'],
    writable: ['/var/cache/npm'],
    touches: ['src/**'],
    stages: [{ ...plain.stages[0], timeout_seconds: 60 }],
  })
  t.deepEqual(decoded.agents, {
    writer: { command: ['node', 'writer.js'], env: [] },
    review: { command: ['review'], env: ['API_KEY'] },
  })
  t.is(decoded.stages[0]?.timeout_seconds, 60)
})

test('decoding a decoded manifest gives it again', (t) => {
  const decoded = manifest(plain)
  t.deepEqual(manifest(JSON.parse(JSON.stringify(decoded))), decoded)
})

test('reference with two arguments is a known check', (t) => {
  t.deepEqual(violations(plain), [])
})

test('reference with one argument is a violation', (t) => {
  const one = { ...reference, checks: [{ check: 'reference', args: ['{state}/reference-check.json'] }] }
  t.deepEqual(violations({ ...plain, stages: [plain.stages[0], one] }), [
    'stages[1].checks[0].args: expected 2 (<reference-check.json> <decisions.json>), got 1',
  ])
})

test('an unknown check is a violation', (t) => {
  const unknown = { ...reference, checks: [{ check: 'toString', args: [] }] }
  t.deepEqual(violations({ ...plain, stages: [plain.stages[0], unknown] }), [
    'stages[1].checks[0].check: expected a known check, got "toString"',
  ])
})

test('touches is a check without arguments, and needs globs to hold commits against', (t) => {
  const stage = { name: 'a', kind: 'script', command: ['true'], checks: [{ check: 'touches' }] }
  t.deepEqual(violations({ ...withStages(stage), touches: ['src/**'] }), [])
  t.deepEqual(violations(withStages(stage)), [
    "stages[0].checks[0].check: expected the manifest's touches to go with it, got none",
  ])
})

test('checks and on_fail belong to script stages alone', (t) => {
  const writer = { name: 'a', kind: 'writer', command: ['w'], checks: [], on_fail: 'rework' }
  const found = violations({ ...plain, rework_from: 'a', stages: [writer] })
  t.is(found.length, 2)
  t.regex(found[0] ?? '', /^stages\[0\]\.checks: expected no such key/)
  t.regex(found[1] ?? '', /^stages\[0\]\.on_fail: expected no such key/)
})

test('violations of every kind are told at once, each with its path', (t) => {
  const found = violations({
    limits: { wall_clock_seconds: 0, failed_rounds: 2.5 },
    rework_from: 'nowhere',
    isolation: 'maybe',
    colour: 'red',
    stages: [
      { name: 'a', kind: 'writer', command: ['{agent}', '--to={state}/x', '{home}'] },
      { name: 'a', kind: 'script', on_fail: 'rework', command: [] },
      { kind: 'dance' },
      'stage',
    ],
  })
  t.deepEqual(
    found.map((line) => line.split(': ')[0]).sort(),
    [
      'limits.wall_clock_seconds',
      'limits.writer_relaunches',
      'limits.failed_rounds',
      'rework_from',
      'stages[0].command[2]',
      'stages[0].agent',
      'stages[1].name',
      'stages[1].command',
      'stages[2].kind',
      'stages[3]',
      'isolation',
      'colour',
    ].sort(),
  )
})

test('rework needs a stage to start again from', (t) => {
  t.deepEqual(violations(withStages({ name: 'a', kind: 'script', command: ['a'], on_fail: 'rework' })), [
    'stages[0].on_fail: expected a rework_from to go with it, got none',
  ])
})

test('a stage that sends back must not come before rework_from', (t) => {
  const stages = [
    { name: 'early', kind: 'script', on_fail: 'rework', command: ['a'] },
    { name: 'look', kind: 'review', command: ['b'] },
    { name: 'write', kind: 'writer', command: ['c'] },
  ]
  t.deepEqual(violations({ ...plain, stages }), [
    'stages[0].on_fail: expected to come after rework_from, got a stage before "write"',
    'stages[1]: expected to come after rework_from, got a stage before "write"',
  ])
})

test('limits refuse NaN, negative numbers, fractions and what no timer holds', (t) => {
  for (const wall_clock_seconds of [Number.NaN, -1, 0, 1.5, 1e9, Number.POSITIVE_INFINITY, '60', null]) {
    const found = violations({ ...plain, limits: { ...plain.limits, wall_clock_seconds } })
    t.is(found.length, 1)
    t.regex(found[0] ?? '', /^limits\.wall_clock_seconds: expected an integer from 1 to 2147483, got /)
  }
  t.deepEqual(violations({ ...plain, limits: { ...plain.limits, failed_rounds: 0 } }), [])
})

test('no path may leave by ..', (t) => {
  const leaving = { ...reference, checks: [{ check: 'reference', args: ['{state}/../a', '{state}/b'] }] }
  const document = {
    ...plain,
    ignores: ['a/../b'],
    writable: ['..'],
    touches: ['../x', '/x'],
    stages: [leaving],
  }
  t.deepEqual(
    violations({ ...document, rework_from: 'reference' }).map((line) => line.split(': ')[0]),
    ['ignores[0]', 'writable[0]', 'touches[0]', 'touches[1]', 'stages[0].checks[0].args[0]'],
  )
})

test('an agent cannot be let see what leads to the ledger or loads code into its programs', (t) => {
  const env = ['DATABASE_URL', 'PGPASSWORD', 'DOCKET_HOME', 'GIT_DIR', 'LD_PRELOAD', 'NODE_OPTIONS', 'A-B']
  t.is(violations({ ...plain, agents: { writer: { command: ['w'], env } } }).length, env.length)
  const fine = ['API_KEY', 'GITHUB_TOKEN', 'LDAP_HOST']
  t.deepEqual(violations({ ...plain, agents: { writer: { command: ['w'], env: fine } } }), [])
})

test('a placeholder is {agent} by itself, {tools} or {state}; a shell variable is none', (t) => {
  const stage = (command: ReadonlyArray<string>): object => ({
    name: 'a',
    kind: 'writer',
    agent: 'w',
    command,
  })
  t.deepEqual(violations(withStages(stage(['sh', '-c', 'echo $' + '{home} {a,b} {}']))), [])
  t.deepEqual(violations(withStages(stage(['sh', '-c', 'run {agent}']))), [
    'stages[0].command[2]: expected {agent} as an argument by itself, got "run {agent}"',
  ])
  t.deepEqual(violations(withStages({ name: 'a', kind: 'script', command: ['{agent}'] })), [
    'stages[0].command: expected a command of its own, got {agent}',
  ])
})

test('hostile JSON is refused with its place', (t) => {
  const reasons = (text: string): ReadonlyArray<string> => {
    const read = readManifest(bytesOf(text))
    return E.isLeft(read) ? read.left.map(renderViolation) : []
  }
  t.deepEqual(reasons('{"limits": {"failed_rounds": 1, "failed_rounds": 2}}'), [
    'limits.failed_rounds: expected each key once, got it twice',
  ])
  t.deepEqual(reasons('{"limits": {"failed_rounds": 1e400}}'), [
    'limits.failed_rounds: expected a number that a double holds, got 1e400',
  ])
  t.regex(reasons('{"limits": ')[0] ?? '', /^expected JSON, got something else: /)
  t.true(
    reasons('{"__proto__": {"name": "x"}}').some((line) =>
      line.startsWith('__proto__: expected no such key'),
    ),
  )
})

test('any JSON whatever is decoded or refused with at least one reason, and never thrown at', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      for (const document of [
        a,
        { ...plain, stages: a },
        { ...plain, stages: [a, b], rework_from: b },
        { ...plain, agents: a },
      ]) {
        const decoded = decodeManifest(document)
        if (E.isLeft(decoded) && decoded.left.length === 0) return false
      }
      return true
    }),
  )
  t.pass()
})
