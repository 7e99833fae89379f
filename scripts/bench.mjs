import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lib/lock.mjs'
import { installPeers } from './lib/packages.mjs'
import { isMain, root } from './lib/root.mjs'
import { run, say } from './lib/step.mjs'
import { browserMissing, setUp } from './setup.mjs'

/** The groups that are measured beside packages which Docket itself does without. */
const besidePeers = ['store']

/** `npm run bench -- NAME [--json]`: sets up, then measures one group. stdout is the measurement's alone. */
async function main(args) {
  const code = await setUp()
  if (code !== 0 && code !== browserMissing) return code
  if (args.some((arg) => besidePeers.includes(arg))) {
    const installed = await withLock(installPeers)
    if (installed !== 0) return installed
  }
  const bench = join(root, 'dist', 'bench', 'main.js')
  if (existsSync(bench)) return run(process.execPath, [bench, ...args])
  say('there is nothing to measure yet')
  return 2
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
