import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A number that is no process of ours any more, or never was, takes no signal. */
export const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/**
 * The command line of a process, empty where there is none: a number in a file may long be another's. Its words are
 * parted by spaces.
 */
export const commandOf = async (pid: number): Promise<string> => {
  if (!Number.isInteger(pid) || pid <= 0) return ''
  if (process.platform === 'linux') {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return words.split('\0').join(' ')
  }
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )
}

/** Whether a process is a server on a cluster, whoever started it: a server works in its data folder. */
export const servesCluster = async (pid: number, data: string): Promise<boolean> => {
  const command = await commandOf(pid)
  if (command.includes('postgres') && command.includes(data)) return true
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data
}

/** Whether a process is the supervisor of a home. */
export const supervises = async (pid: number, home: string): Promise<boolean> => {
  const command = await commandOf(pid)
  return command.includes('supervisor.js') && command.includes(home)
}
