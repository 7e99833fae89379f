import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Engine } from '../../domain/engine.js'
import { run } from './run.js'

/** Downloads Playwright's own builds, one engine after the other, and gives up at the first that fails. */
export const installWithPlaywright = async (
  engines: ReadonlyArray<Engine>,
  say: (line: string) => void,
): Promise<void> => {
  const manifest = createRequire(import.meta.url).resolve('playwright/package.json')
  const command = [process.execPath, join(dirname(manifest), 'cli.js')] as const
  // Playwright's own patience is half a minute for each of three tries at each of three hosts.
  const environment = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' }
  for (const engine of engines) {
    say(`Downloading Playwright's ${engine}…`)
    const failed = await run([...command, 'install', engine], 120_000, environment)
    if (failed !== null) return say(`Playwright's ${engine} cannot be had: ${failed}.`)
    // Its libraries are packages of the system.
    if (process.platform !== 'linux' || process.getuid?.() !== 0) continue
    const lacking = await run([...command, 'install-deps', engine], 300_000, environment)
    if (lacking !== null) say(`The libraries of Playwright's ${engine} cannot be had: ${lacking}.`)
  }
}
