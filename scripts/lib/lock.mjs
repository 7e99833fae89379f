import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './root.mjs'
import { say } from './step.mjs'

/**
 * Does the work while no other process does such work in this checkout; waits its turn, and says so.
 * The lock of a process that is gone is taken over.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [file] where the lock is; `npm ci` empties node_modules, so it is not there
 * @returns {Promise<T>}
 */
export async function withLock(work, file = join(root, 'dist', '.setup.lock')) {
  const mine = `${process.pid} ${startOf(process.pid)}`
  mkdirSync(dirname(file), { recursive: true })
  for (let waited = false; !take(file, mine); waited = true) {
    const holder = read(file)
    if (holder === undefined) continue
    if (!lives(holder)) {
      removeDead(file, holder)
      continue
    }
    if (!waited) say(`another set-up (process ${holder.split(' ')[0]}) is at work here; waiting for it`)
    await sleep(200)
  }
  const release = () => rmSync(file, { force: true })
  const stop = (signal) => {
    release()
    process.exit(128 + (signal === 'SIGINT' ? 2 : 15))
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work()
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    release()
  }
}

/** By a link, so that the lock never stands there without its holder's name in it. */
function take(file, mine) {
  const own = `${file}.${process.pid}`
  writeFileSync(own, mine)
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function lives(holder) {
  const [pid, start] = holder.split(' ')
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
  }
  return startOf(pid) === start
}

/** Another one may have taken the dead lock over between our look and now: then it is put back. */
function removeDead(file, holder) {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameSync(file, aside)
    if (read(aside) !== holder && !existsSync(file)) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** When a process began, in ticks since the boot: tells it from a later one with the same number. */
function startOf(pid) {
  const stat = read(`/proc/${pid}/stat`)
  return stat === undefined ? '?' : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}
