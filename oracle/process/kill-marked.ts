import { readdirSync, readFileSync } from 'node:fs'
import { runFolderVariable } from './environment.js'

/**
 * Kills each process whose environment names this folder or one inside it, wherever it hangs in the
 * tree: WebKit's page process outlives its browser when a script in it never ends. Linux only
 * (elsewhere there is no `/proc`, and only Playwright's own builds run, which Playwright ends).
 */
export const killMarked = (folder: string): void => {
  for (const pid of markedProcesses(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

/** The ids of the processes whose environment names this folder or one inside it. */
export const markedProcesses = (folder: string): ReadonlyArray<number> => {
  const marks = [`${runFolderVariable}=${folder}\0`, `${runFolderVariable}=${folder}/`]
  return processIds().filter((pid) => {
    const environment = environmentOf(pid)
    return pid !== process.pid && marks.some((mark) => environment.includes(mark))
  })
}

const processIds = (): ReadonlyArray<number> => {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 0)
  } catch {
    return []
  }
}

const environmentOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
