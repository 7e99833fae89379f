import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { engines } from '../domain/engine.js'
import { locate } from './locate.js'
import { makeRunFolder } from './process/run-folder.js'
import { whenParentDies } from './process/when-parent-dies.js'
import { hostEngine } from './service/engine-host.js'
import { writeLines } from './service/line-writer.js'
import { serve } from './service/serve.js'
import { startBrowser } from './start-browser.js'
import { within } from './within.js'

/** How long one engine may take for one page, in milliseconds, unless `DOCKET_ORACLE_DEADLINE_MS` says. */
const defaultDeadlineMs = 20_000

/** How long a signal waits for the answers that are in flight. */
const graceMs = 5_000

/**
 * The oracle service: requests on stdin, answers on stdout, until the input ends, `shutdown`, a signal,
 * or the death of whoever started it. Resolves with the exit code once every browser is gone: 0, 6 when
 * no browser could be started, 130 or 143 after a signal.
 */
export const main = async (): Promise<number> => {
  const stop = new AbortController()
  let exitCode = 0
  const end = (code: number): void => {
    if (!stop.signal.aborted) exitCode = code
    stop.abort()
  }
  process.once('SIGINT', () => end(130))
  process.once('SIGTERM', () => end(143))
  process.once('SIGHUP', () => end(129))
  whenParentDies(() => end(143))

  const folder = makeRunFolder()
  // Playwright puts its profiles where this says.
  process.env.TMPDIR = folder.path
  const deadlineMs = deadlineFrom(process.env.DOCKET_ORACLE_DEADLINE_MS)
  const located = locate()
  const hosts = engines.map((engine) =>
    hostEngine({
      engine,
      deadlineMs,
      start: async (number) =>
        startBrowser(engine, (await located)[engine], join(folder.path, `${engine}-${number}`), deadlineMs),
      report: (line) => process.stderr.write(`docket oracle: ${line}\n`),
    }),
  )
  const noneStarted = Promise.all(hosts.map((host) => host.started)).then((started) => {
    if (started.some(E.isRight)) return
    process.stderr.write('docket oracle: no browser could be started, so there is nothing to ask\n')
    end(6)
  })

  const output = writeLines(process.stdout, () => end(0))
  const served = serve(process.stdin, output, hosts, stop.signal)
  await Promise.race([served, afterAbort(stop.signal, graceMs)])
  await Promise.all(hosts.map((host) => host.close()))
  await within(1_000, Promise.all([served, noneStarted]))
  await folder.remove()
  // An input that is open still would keep the process.
  process.stdin.destroy()
  process.exitCode = exitCode
  return exitCode
}

const deadlineFrom = (text: string | undefined): number => {
  const milliseconds = Number(text ?? defaultDeadlineMs)
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : defaultDeadlineMs
}

const afterAbort = (signal: AbortSignal, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => setTimeout(resolve, milliseconds).unref(), { once: true })
  })
