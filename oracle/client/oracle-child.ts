import { spawn } from 'node:child_process'

/** A command line for `sh -c`, or a program with its arguments. */
export type OracleCommand = string | ReadonlyArray<string>

export type OracleChild = {
  readonly send: (message: object) => void
  /** Says that nothing more will be asked. */
  readonly endInput: () => void
  /**
   * Ends it, and all of its process group: it gets `graceMs` to go by itself, then SIGTERM and
   * `termMs`, then SIGKILL. Settles once the process is gone and what it wrote has been read.
   */
  readonly stop: (graceMs: number, termMs: number) => Promise<void>
}

export type OracleListener = {
  readonly onOutput: (chunk: Buffer) => void
  readonly onDiagnostics: (chunk: Buffer) => void
  readonly onFailedStart: (message: string) => void
  /** After the process has gone and its output was read. */
  readonly onGone: (code: number | null, signal: string | null) => void
}

/** Starts an oracle in a process group of its own, so that all of it can be ended. */
export const startOracle = (
  command: OracleCommand,
  options: { readonly cwd?: string | undefined; readonly env?: NodeJS.ProcessEnv | undefined },
  listener: OracleListener,
): OracleChild => {
  const [program, ...args] = typeof command === 'string' ? ['sh', '-c', command] : command
  const { cwd, env } = options
  const child = spawn(program ?? '', args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })

  const gone = new Promise<void>((resolve) => {
    child.once('error', (cause) => {
      listener.onFailedStart(cause.message)
      if (child.pid === undefined) resolve()
    })
    child.once('exit', (code, signal) => {
      // Something else may hold its stdout open for ever; what the oracle itself wrote is there by then.
      const waited = setTimeout(settle, 500)
      child.once('close', settle)
      function settle(): void {
        clearTimeout(waited)
        listener.onGone(code, signal)
        resolve()
      }
    })
  })
  // An oracle that goes while it is written to is told by its exit, not by EPIPE.
  child.stdin.on('error', () => {})
  child.stdout.on('data', listener.onOutput)
  child.stderr.on('data', listener.onDiagnostics)

  const signalGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // No process of the group is left.
    }
  }

  return {
    send: (message) => {
      if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`)
    },
    endInput: () => child.stdin.end(),
    stop: async (graceMs, termMs) => {
      child.stdin.end()
      if (!(await settlesWithin(gone, graceMs))) {
        signalGroup('SIGTERM')
        await settlesWithin(gone, termMs)
      }
      signalGroup('SIGKILL')
      await gone
      child.stdin.destroy()
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

const settlesWithin = async (settling: Promise<void>, milliseconds: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const settled = await Promise.race([settling.then(() => true), late])
  clearTimeout(timer)
  return settled
}
