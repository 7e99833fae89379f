/** What every stage may see of the runner's environment; an agent's `env` adds to it by name. */
const letThrough = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
  'NEV_REFERENCE_DIR',
  'NEV_LANE_SHARED',
] as const

export type StageNames = {
  readonly job: string
  readonly round: number
  readonly stage: string
  readonly attempt: number
  readonly state: string
  readonly tools: string
  readonly socket: string
  readonly token: string
}

/**
 * The whole environment of a stage. It has the address of its runner's socket, and nothing with which
 * the ledger could be reached.
 */
export const stageEnvironment = (
  names: StageNames,
  own: NodeJS.ProcessEnv,
  alsoThrough: ReadonlyArray<string>,
): Readonly<Record<string, string>> => {
  const passed = [...letThrough, ...alsoThrough].flatMap((name) => {
    const value = own[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(passed),
    DOCKET_JOB: names.job,
    DOCKET_ROUND: String(names.round),
    DOCKET_STAGE: names.stage,
    DOCKET_ATTEMPT: String(names.attempt),
    DOCKET_STATE: names.state,
    DOCKET_TOOLS: names.tools,
    DOCKET_SOCKET: names.socket,
    DOCKET_TOKEN: names.token,
  }
}
