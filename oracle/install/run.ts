import { spawn } from 'node:child_process'

/**
 * Runs a program to its end, with its progress on our stderr. Resolves with why it failed, with its last words, or
 * `null`. It is ended after `milliseconds`.
 */
export const run = (
  [program, ...args]: readonly [string, ...ReadonlyArray<string>],
  milliseconds: number,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | null> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 2, 'pipe'], env: environment, detached: true })
    let words = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-4_096)
    })
    const timer = setTimeout(() => {
      resolve(`it did not end within ${milliseconds / 1_000} s`)
      // All of its group: npm and apt have children that do the work.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, milliseconds)
    const settle = (why: string | null): void => {
      clearTimeout(timer)
      resolve(why)
    }
    child.once('error', (error) => settle(error.message))
    child.once('close', (code, signal) =>
      settle(code === 0 ? null : `it ended with ${signal ?? code}${lastErrorIn(words)}`),
    )
  })

/** The last line that speaks of an error, without the stack that may follow it. */
const lastErrorIn = (words: string): string => {
  const line = words.split('\n').findLast((each) => /\b(E|Error|Failed)\b/.test(each))
  return line === undefined ? '' : ` (${line.trim()})`
}
