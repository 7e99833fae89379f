/** What a manifest may leave to the runner: the agent's command, the tools' folder, the state folder. */
const placeholders = ['agent', 'tools', 'state'] as const

export type PlaceholderValues = {
  /** The agent's command, put in the place of the argument `{agent}`; `null` for a stage without agent. */
  readonly agent: ReadonlyArray<string> | null
  readonly tools: string
  readonly state: string
}

/** Fills in a command or the arguments of a check; what a value holds is not filled in again. */
export const fillPlaceholders = (
  args: ReadonlyArray<string>,
  { agent, tools, state }: PlaceholderValues,
): ReadonlyArray<string> =>
  args.flatMap((arg) => {
    if (arg === '{agent}' && agent !== null) return agent
    return [arg.replace(/(?<!\$)\{(tools|state)\}/g, (_, name) => (name === 'tools' ? tools : state))]
  })

/**
 * The placeholders in an argument that nothing fills in. A word of small letters in braces is taken for
 * a placeholder, except after `$`, where it is a shell's variable.
 */
export const unknownPlaceholders = (arg: string): ReadonlyArray<string> =>
  [...arg.matchAll(/(?<!\$)\{([a-z_]+)\}/g)]
    .map(([, name]) => name ?? '')
    .filter((name) => !placeholders.some((known) => known === name))

export const usesAgent = (args: ReadonlyArray<string>): boolean => args.includes('{agent}')
