/** What a command ends with. The README and the manual page list them. */
export const exits = {
  done: 0,
  /** The answer is no: rejected, stopped, a check that failed, a broken chain. */
  no: 1,
  usage: 2,
  /** Of run and resume: waits for a person. Of every other command: refused by an invariant. */
  waits: 3,
  refused: 3,
  cancelled: 4,
  outOfTime: 5,
  missing: 6,
  runRefused: 7,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const

/** A failure that is told to the person in plain words, with the exit code that goes with it. */
export class CommandFailed extends Error {
  constructor(
    readonly exit: number,
    ...lines: ReadonlyArray<string>
  ) {
    super(lines.join('\n'))
    this.name = 'CommandFailed'
  }
}

export const badUsage = (...lines: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed(exits.usage, ...lines)
