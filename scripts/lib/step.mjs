import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'
import { root } from './root.mjs'

/**
 * Says on stderr what begins, does it, and says how long it took. stdout is left to what a script is for.
 *
 * @template T
 * @param {string} what such as `installing the packages`
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const started = performance.now()
  say(`${what} …`)
  const result = await work()
  say(`${what}: done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

/** One line of progress on stderr. */
export function say(line) {
  process.stderr.write(`docket: ${line}\n`)
}

/**
 * Runs a program in the checkout, with this one's input and output, and resolves with its exit code: 128 and
 * the signal's number when one ended it, 127 when there is no such program. It outlives Ctrl-C, which the terminal
 * sends to the program as well, so that the program ends in good order before the prompt is back.
 */
export function run(file, args, { env = process.env, cwd = root, stdio = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio })
    const wait = () => {}
    const stop = () => child.kill('SIGTERM')
    process.on('SIGINT', wait).on('SIGTERM', stop)
    child.once('error', (error) => (error.code === 'ENOENT' ? resolve(127) : reject(error)))
    child.once('close', (code, signal) => {
      process.off('SIGINT', wait).off('SIGTERM', stop)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/** Like `run`, and keeps what the program wrote, both streams in the order in which it came. */
export function capture(file, args, { env = process.env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const chunks = []
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) =>
      error.code === 'ENOENT' ? resolve({ code: 127, output: `${file}: not found\n` }) : reject(error),
    )
    child.once('close', (code, signal) =>
      resolve({ code: code ?? 128 + constants.signals[signal], output: Buffer.concat(chunks).toString() }),
    )
  })
}
