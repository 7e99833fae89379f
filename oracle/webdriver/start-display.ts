import { type ChildProcess, spawn } from 'node:child_process'
import type { Display } from '../choose-driver.js'
import { within } from '../within.js'

/** A display to show WebKit's window on, by its name; `end` ends what was started for it. */
export type StartedDisplay = { readonly name: string; readonly end: () => Promise<void> }

/** Gives a display: the one that is there, or an Xvfb of our own. */
export const startDisplay = async (
  display: Display,
  environment: Record<string, string>,
): Promise<StartedDisplay> => {
  if (display.type === 'existing') return { name: display.name, end: async () => undefined }
  const screen = ['-screen', '0', '1280x1024x24', '-dpi', '96']
  const server = spawn(display.path, ['-displayfd', '3', ...screen, '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: environment,
  })
  server.unref()
  return { name: await nameOf(server), end: () => ended(server) }
}

/** Xvfb picks a number that is free, and says it on the descriptor it was given once it accepts clients. */
const nameOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      reject(new Error(why))
    }
    const timer = setTimeout(() => fail('Xvfb did not start within 10 s'), 10_000)
    server.once('error', (error) => fail(`Xvfb did not start: ${error.message}`))
    server.once('exit', (code) => fail(`Xvfb ended with ${code} before it was ready`))
    server.stdio[3]?.once('data', (number: Buffer) => {
      clearTimeout(timer)
      resolve(`:${number.toString().trim()}`)
    })
  })

/** In good order, since an Xvfb that is killed leaves its lock in /tmp. */
const ended = async (server: ChildProcess): Promise<void> => {
  const exit = new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve(undefined)
    server.once('exit', resolve)
  })
  server.kill('SIGTERM')
  await within(1_000, exit)
}
