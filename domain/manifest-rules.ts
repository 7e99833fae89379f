import { findCheck } from './check.js'
import { isObject } from './codecs.js'
import { describe, pathBelow, type Violation } from './decode.js'
import { unknownPlaceholders, usesAgent } from './placeholders.js'

/**
 * What must hold between the keys of a manifest. It reads the document as it was written, whatever its
 * shape, and passes over what is no string or list: that is the codec's to say. So one reading tells
 * the violations of both kinds.
 */
export const brokenRules = (document: unknown): ReadonlyArray<Violation> => {
  if (!isObject(document)) return []
  const stages = listIn(document.stages).map((stage) => (isObject(stage) ? stage : {}))
  const names = stages.map((stage: Loose) => stage.name)
  return [
    ...reworkFromIsAStage(document.rework_from, names),
    ...stages.flatMap((stage: Loose, index) => {
      const path = pathBelow('stages', index)
      return [
        ...nameIsUnique(stage, index, names, path),
        ...reworksFromEarlier(stage, index, names.indexOf(document.rework_from), document, path),
        ...commandIsRunnable(stage, path),
        ...checksAreKnown(stage, listIn(document.touches), path),
      ]
    }),
    ...agentsAreRunnable(document.agents),
  ]
}

type Loose = Readonly<Record<string, unknown>>

const reworkFromIsAStage = (from: unknown, names: ReadonlyArray<unknown>): ReadonlyArray<Violation> => {
  if (typeof from !== 'string' || names.includes(from)) return []
  return violation('rework_from', `expected the name of a stage, got ${describe(from)}`)
}

const nameIsUnique = (
  { name }: Loose,
  index: number,
  names: ReadonlyArray<unknown>,
  path: string,
): ReadonlyArray<Violation> => {
  const first = names.indexOf(name)
  if (typeof name !== 'string' || first === index) return []
  const message = `expected a name of its own, got ${describe(name)}, which stages[${first}] has`
  return violation(pathBelow(path, 'name'), message)
}

/** A round of rework starts at `rework_from`, so the stage that asks for it must lie there or later. */
const reworksFromEarlier = (
  { kind, on_fail }: Loose,
  index: number,
  from: number,
  document: Loose,
  path: string,
): ReadonlyArray<Violation> => {
  const asks = kind === 'script' && on_fail === 'rework'
  const hasFrom = typeof document.rework_from === 'string'
  if (asks && !hasFrom)
    return violation(pathBelow(path, 'on_fail'), 'expected a rework_from to go with it, got none')
  if (index >= from || !(asks || (kind === 'review' && hasFrom))) return []
  const place = asks ? pathBelow(path, 'on_fail') : path
  return violation(
    place,
    `expected to come after rework_from, got a stage before ${describe(document.rework_from)}`,
  )
}

const commandIsRunnable = ({ kind, agent, command }: Loose, path: string): ReadonlyArray<Violation> => {
  const place = pathBelow(path, 'command')
  const args = listIn(command)
  const needsAgent = usesAgent(args.filter(isString))
  const missing = needsAgent && kind !== 'script' && (agent === undefined || agent === null)
  return [
    ...programIsNamed(args, place),
    ...args.flatMap((arg, index) => placeholdersAreKnown(arg, pathBelow(place, index))),
    ...(missing ? violation(pathBelow(path, 'agent'), 'expected an agent for {agent}, got none') : []),
    ...(needsAgent && kind === 'script'
      ? violation(place, 'expected a command of its own, got {agent}')
      : []),
  ]
}

const programIsNamed = ([program]: ReadonlyArray<unknown>, path: string): ReadonlyArray<Violation> =>
  program === '' ? violation(pathBelow(path, 0), 'expected a program, got an empty string') : []

const placeholdersAreKnown = (arg: unknown, path: string): ReadonlyArray<Violation> => {
  if (!isString(arg)) return []
  const embedded = arg !== '{agent}' && /(?<!\$)\{agent\}/.test(arg)
  return [
    ...unknownPlaceholders(arg).map((name) => ({
      path,
      message: `expected {agent}, {tools} or {state}, got {${name}}`,
    })),
    ...(embedded ? violation(path, `expected {agent} as an argument by itself, got ${describe(arg)}`) : []),
  ]
}

const checksAreKnown = (
  { checks: calls }: Loose,
  touches: ReadonlyArray<unknown>,
  path: string,
): ReadonlyArray<Violation> =>
  listIn(calls).flatMap((call, index) => {
    if (!isObject(call)) return []
    const place = pathBelow(pathBelow(path, 'checks'), index)
    const args = listIn(call.args)
    return [
      ...checkIsKnown(call, args, touches, place),
      ...args.flatMap((arg, at) => {
        const argPath = pathBelow(pathBelow(place, 'args'), at)
        if (arg === '{agent}') return violation(argPath, 'expected a path, got {agent}')
        return placeholdersAreKnown(arg, argPath)
      }),
    ]
  })

const checkIsKnown = (
  { check: name, args: written }: Loose,
  args: ReadonlyArray<unknown>,
  touches: ReadonlyArray<unknown>,
  path: string,
): ReadonlyArray<Violation> => {
  if (!isString(name) || name === '') return []
  const check = findCheck(name)
  if (check === null)
    return violation(pathBelow(path, 'check'), `expected a known check, got ${describe(name)}`)
  if (name === 'touches' && touches.length === 0) {
    return violation(pathBelow(path, 'check'), "expected the manifest's touches to go with it, got none")
  }
  const { parameters } = check
  const isList = written === undefined || Array.isArray(written)
  if (!isList || args.length === parameters.length) return []
  const wanted = parameters.length === 0 ? 'no arguments' : `${parameters.length} (${parameters.join(' ')})`
  return violation(pathBelow(path, 'args'), `expected ${wanted}, got ${args.length}`)
}

const agentsAreRunnable = (agents: unknown): ReadonlyArray<Violation> => {
  if (!isObject(agents)) return []
  return Object.entries(agents).flatMap(([name, agent]) => {
    const path = pathBelow('agents', name)
    const isList = Array.isArray(agent)
    const command = isList ? agent : isObject(agent) ? agent.command : undefined
    const place = isList ? path : pathBelow(path, 'command')
    const args = listIn(command)
    return [
      ...programIsNamed(args, place),
      ...args.flatMap((arg, index) =>
        arg === '{agent}'
          ? violation(pathBelow(place, index), 'expected a command of its own, got {agent}')
          : placeholdersAreKnown(arg, pathBelow(place, index)),
      ),
    ]
  })
}

const listIn = (input: unknown): ReadonlyArray<unknown> => (Array.isArray(input) ? input : [])

const isString = (input: unknown): input is string => typeof input === 'string'

const violation = (path: string, message: string): ReadonlyArray<Violation> => [{ path, message }]
