import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { isMain, root } from './lib/root.mjs'
import { say } from './lib/step.mjs'
import { browserMissing, setUp } from './setup.mjs'

/**
 * `npm test [-- FILES AND OPTIONS OF AVA]`: sets up, runs the tests, shows them as they end, and prints
 * `N passed, N failed` as the last line. A file is named as in the sources: `test/domain/budget.test.ts`.
 */
async function main(args) {
  const code = await setUp()
  if (code === browserMissing) say('the tests that need the browser that is missing will fail')
  else if (code !== 0) return report({ passed: 0, failed: 1 }, ['the set-up'])
  const server = await startServer()
  try {
    return await runTests(args, server?.url)
  } finally {
    await server?.stop()
  }
}

/** One database server for all test files, where the tests have one; each test makes a database of its own in it. */
async function startServer() {
  const file = join(root, 'dist', 'test', 'support', 'server.js')
  if (process.env.DOCKET_TEST_DATABASE_URL !== undefined || !existsSync(file)) return undefined
  const { startTestServer } = await import(pathToFileURL(file).href)
  return startTestServer()
}

async function runTests(args, url) {
  // Loaded late, since it needs a package.
  const { readTap } = await import('./lib/tap.mjs')
  const ava = join(root, 'node_modules', 'ava', 'entrypoints', 'cli.mjs')
  const child = spawn(process.execPath, [ava, '--tap', ...args.map(compiled)], {
    cwd: root,
    env: url === undefined ? process.env : { ...process.env, DOCKET_TEST_DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A terminal sends Ctrl-C to AVA as well; this process outlives it, to stop the server.
  // AVA ends its own processes at SIGINT, and leaves them at SIGTERM.
  const stop = () => child.kill('SIGINT')
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const ended = once(child, 'close')
  const tap = readTap()
  for await (const text of createInterface({ input: child.stdout })) {
    const shown = tap.line(text)
    if (shown !== undefined) process.stdout.write(`${shown}\n`)
  }
  const [code] = await ended
  return report(tap.counts(code), tap.failures)
}

function compiled(argument) {
  const file = argument.replace(/^\.\//, '').replace(/^dist\//, '')
  return /^test(\/|$)/.test(file) ? `dist/${file.replace(/\.ts$/, '.js')}` : argument
}

function report({ passed, failed }, failures) {
  const list = failures.map((title) => `  ✖ ${title}\n`).join('')
  process.stdout.write(`${list && `\nFailed:\n${list}`}\n${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2))
