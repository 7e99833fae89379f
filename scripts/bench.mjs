import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './lib/root.mjs'
import { run, say } from './lib/step.mjs'
import { browserMissing, setUp } from './setup.mjs'

/** `npm run bench -- NAME [--json]`: sets up, then measures one group. stdout is the measurement's alone. */
async function main(args) {
  const code = await setUp()
  if (code !== 0 && code !== browserMissing) return code
  const bench = join(root, 'dist', 'bench', 'main.js')
  if (existsSync(bench)) return run(process.execPath, [bench, ...args])
  say('there is nothing to measure yet')
  return 2
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
