import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Said } from './said.js'

export type RunningWriter = {
  readonly kill: () => void
  /** Asks it to end; resolves with its exit code or signal, and what it wrote to stderr. */
  readonly end: (longestMs: number) => Promise<{ readonly how: number | string; readonly stderr: string }>
}

/** Starts a writer, and hands on what it says; half a line, of one that was killed, is nothing said. */
export const runWriter = (
  program: string,
  url: string,
  { name, seed }: { readonly name: string; readonly seed: number },
  onSaid: (said: Said) => void,
): RunningWriter => {
  const child: ChildProcess = spawn(process.execPath, [program, name, String(seed)], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString('utf8')
  })
  // One that was killed takes no more words.
  child.stdin?.on('error', () => {})
  const lines = child.stdout === null ? null : createInterface({ input: child.stdout })
  lines?.on('line', (line) => {
    const said = saidIn(line)
    if (said !== null) onSaid(said)
  })
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? 'unknown'))
  })
  return {
    kill: () => child.kill('SIGKILL'),
    end: async (longestMs) => {
      child.stdin?.end()
      const timer = setTimeout(() => child.kill('SIGABRT'), longestMs)
      const how = await ended
      clearTimeout(timer)
      return { how, stderr }
    },
  }
}

const saidIn = (line: string): Said | null => {
  try {
    return JSON.parse(line) as Said
  } catch {
    return null
  }
}
