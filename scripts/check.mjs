import { join } from 'node:path'
import { wrongImports } from './lib/folders.mjs'
import { isMain, root } from './lib/root.mjs'
import { capture } from './lib/step.mjs'
import { setUp } from './setup.mjs'

const bin = (name, ...path) => join(root, 'node_modules', name, ...path)
const node = (script, ...args) => capture(process.execPath, [script, ...args])

/** What a reader would stumble over, and what must not be left in code or tests. */
const leftovers = [
  '\\b(test|it)\\.(only|skip|todo|failing)\\b',
  '\\bTODO\\b|\\bFIXME\\b',
  '@ts-(ignore|nocheck)',
  '\\bas any\\b',
]

/** Each resolves with an exit code, 0 when all is well, and with what to show when it is not. */
const checks = {
  'format and lint': () =>
    node(bin('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--error-on-warnings', colors(), '.'),
  types: () => node(bin('typescript', 'bin', 'tsc'), '-p', '.', '--noEmit', '--incremental', 'false'),
  'folder dependencies': async () => {
    const wrong = wrongImports(root)
    return { code: wrong.length === 0 ? 0 : 1, output: wrong.map((line) => `${line}\n`).join('') }
  },
  'unused exports': () => node(bin('knip', 'bin', 'knip.js'), '--no-progress'),
  'nothing left over': async () => {
    const paths = ['*.ts', '*.mjs', '*.js', ':!fixtures', ':!scripts/check.mjs']
    const args = ['grep', '--untracked', '-nIE', leftovers.join('|'), '--', ...paths]
    const { code, output } = await capture('git', args)
    // Git's exit code is 1 where nothing was found.
    return { code: code === 1 ? 0 : code || 1, output }
  },
}

/** `npm run check`: runs every check, even when one fails, shows what each has to say, and sums up. */
async function main() {
  const code = await setUp({ compile: false, browsers: false })
  if (code !== 0) return code
  const results = await Promise.all(Object.entries(checks).map(timed))
  const failed = results.filter((result) => result.code !== 0)
  for (const { name, output } of failed) process.stdout.write(`\n── ${name}\n${output}`)
  if (failed.length > 0) process.stdout.write('\n')
  for (const { name, code, seconds } of results) {
    process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name} (${seconds.toFixed(1)} s)\n`)
  }
  return failed.length === 0 ? 0 : 1
}

async function timed([name, check]) {
  const started = performance.now()
  const result = await check()
  return { name, ...result, seconds: (performance.now() - started) / 1000 }
}

const colors = () => `--colors=${process.stdout.isTTY ? 'force' : 'off'}`

if (isMain(import.meta.url)) process.exitCode = await main()
