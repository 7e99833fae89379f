import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** What tells a process from every other one, on any machine, even after its number was used again. */
export type ProcessIdentity = {
  readonly host: string
  readonly bootId: string
  readonly pidNamespace: string
  readonly pid: number
  readonly startTime: string
}

export type RunnerIdentity = ProcessIdentity & { readonly runner: string }

export const ownIdentity = (): RunnerIdentity => ({
  runner: randomBytes(6).toString('hex'),
  host: hostname(),
  bootId: bootId(),
  pidNamespace: pidNamespace(),
  pid: process.pid,
  startTime: startTime(process.pid) ?? '',
})

/**
 * Whether a process may still be at work. On the same boot and namespace the process itself is looked
 * at, and a stopped one counts as alive; on the same machine another boot means dead; elsewhere nobody here can know.
 */
export const lifeOf = (other: ProcessIdentity): 'alive' | 'dead' | 'unknown' => {
  if (other.host !== hostname()) return 'unknown'
  if (other.bootId !== bootId()) return 'dead'
  if (other.pidNamespace !== pidNamespace()) return 'unknown'
  return startTime(other.pid) === other.startTime ? 'alive' : 'dead'
}

const bootId = (): string =>
  readOr('/proc/sys/kernel/random/boot_id', () => run('sysctl', ['-n', 'kern.bootsessionuuid']))

const pidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return 'none'
  }
}

/** The kernel's own start time of a process, which no later process of the same number shares. */
const startTime = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name is in parentheses and may hold anything; the fields after it are counted from 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return process.platform === 'linux' ? null : run('ps', ['-o', 'lstart=', '-p', String(pid)]) || null
  }
}

const readOr = (path: string, other: () => string): string => {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    return other()
  }
}

const run = (command: string, args: ReadonlyArray<string>): string => {
  try {
    return execFileSync(command, args, { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
