import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFolderVariable } from './environment.js'

/**
 * The folder that holds everything this oracle's browsers write: profiles, sockets, a home. Each
 * process started for it carries its name in its environment, so what is left can be found by it.
 */
export type RunFolder = {
  readonly path: string
  /** Removes the folder, after the browsers were closed in good order. */
  readonly remove: () => Promise<void>
}

/**
 * Makes the folder, and starts the one who clears up if this process is killed: a shell outside our
 * process group that waits for its input to end, which the kernel sees to however we die.
 */
export const makeRunFolder = (): RunFolder => {
  const path = mkdtempSync(join(tmpdir(), 'docket-oracle-'))
  const caretaker = spawn('/bin/sh', ['-c', clearUp, 'docket-oracle-caretaker', path, runFolderVariable], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    cwd: '/',
  })
  caretaker.on('error', () => undefined)
  caretaker.stdin.on('error', () => undefined)
  caretaker.unref()
  return {
    path,
    remove: async () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
      await dismissed(caretaker)
    },
  }
}

const dismissed = (caretaker: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (caretaker.exitCode !== null || caretaker.signalCode !== null || caretaker.pid === undefined) {
      return resolve()
    }
    caretaker.ref()
    caretaker.once('exit', () => resolve())
    caretaker.stdin?.end('done\n')
    setTimeout(resolve, 1_000).unref()
  })

// TERM first: an Xvfb that is killed leaves its lock in /tmp. Then KILL until none is left, since a
// browser that is dying can still have started another process.
const clearUp = `
read -r word
[ "$word" = done ] && exit 0
signal=TERM
for round in 1 2 3 4 5 6 7 8 9 10; do
  left=no
  for entry in /proc/[0-9]*; do
    grep -qaF "$2=$1" "$entry/environ" 2>/dev/null || continue
    left=yes
    kill -s "$signal" "\${entry#/proc/}" 2>/dev/null
  done
  [ "$left" = no ] && break
  signal=KILL
  sleep 0.3
done
rm -rf -- "$1"
`
