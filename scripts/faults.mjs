import { join } from 'node:path'
import { isMain, root } from './lib/root.mjs'
import { run } from './lib/step.mjs'
import { browserMissing, setUp } from './setup.mjs'

/** `npm run faults -- [--rounds N] [--seed S]`: sets up, then lets writers append under misfortunes. */
async function main(args) {
  const code = await setUp()
  if (code !== 0 && code !== browserMissing) return code
  return run(process.execPath, [join(root, 'dist', 'test', 'faults', 'main.js'), ...args])
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
