import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { withLock } from './lib/lock.mjs'
import { installPackages } from './lib/packages.mjs'
import { isMain, root } from './lib/root.mjs'
import { run, say } from './lib/step.mjs'

/** What the set-up ends with when a browser cannot be had, and only then. */
export const browserMissing = 6

/**
 * Installs what is missing (packages, build, browsers) and says what it does on stderr; quick and silent when
 * nothing is missing. Two at once in one checkout take turns.
 *
 * @param {{ compile?: boolean, browsers?: boolean }} [options] each is part of it unless `false`
 * @returns {Promise<number>} 0; 2 when Node.js or Git will not do; `browserMissing`, with all else in place;
 *   or the exit code of the step that failed
 */
export async function setUp({ compile = true, browsers = true } = {}) {
  const unmet = [lackOfNode(), lackOfGit()].filter((line) => line !== undefined)
  for (const line of unmet) say(line)
  if (unmet.length > 0) return 2
  return withLock(async () => {
    let code = await installPackages()
    if (code === 0 && compile) code = await build()
    if (code === 0 && browsers) code = await installBrowsers()
    return code
  })
}

function lackOfNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 12)) return undefined
  return `needs Node.js 20.12 or later, and this is ${process.versions.node} (${process.execPath})`
}

function lackOfGit() {
  const { status } = spawnSync('git', ['--version'])
  return status === 0 ? undefined : 'needs Git, and there is no `git` on the PATH that works'
}

function installBrowsers() {
  const installer = join(root, 'dist', 'oracle', 'install.js')
  return existsSync(installer) ? run(process.execPath, [installer], { stdio: ['ignore', 2, 2] }) : 0
}

if (isMain(import.meta.url)) process.exitCode = await setUp()
