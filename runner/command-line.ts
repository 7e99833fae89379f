import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { Agent, Manifest, Stage } from '../domain/manifest.js'
import { fillPlaceholders } from '../domain/placeholders.js'

export type Places = {
  readonly manifestFolder: string
  readonly workdir: string
  readonly state: string
  readonly tools: string
}

/**
 * The command line of a stage with every placeholder filled in. A program named by a path is looked for
 * from the checkout, or from the manifest's folder when it is an agent's; a bare name in the runner's PATH.
 */
export const commandLine = (manifest: Manifest, stage: Stage, places: Places): ReadonlyArray<string> => {
  const agent = agentOf(manifest, stage)?.command ?? null
  const [program = '', ...args] = fillPlaceholders(stage.command, { agent, ...places })
  const from = stage.command[0] === '{agent}' ? places.manifestFolder : places.workdir
  return [resolveProgram(program, from), ...args]
}

/** The agent that a writer or review stage names, if the manifest has it. */
export const agentOf = (manifest: Manifest, stage: Stage): Agent | null =>
  stage.kind === 'script' || stage.agent === null || !Object.hasOwn(manifest.agents, stage.agent)
    ? null
    : (manifest.agents[stage.agent] ?? null)

/** An absolute path where the program can be found now, else the name as it stands. */
const resolveProgram = (name: string, from: string): string => {
  if (name.includes('/')) return resolve(from, name)
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram)
  return found ?? name
}

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
