import * as E from 'fp-ts/lib/Either.js'
import type { Dump } from '../../domain/dump.js'
import type { Engine } from '../../domain/engine.js'
import { type Browser, engineFailed, type Measured } from '../browser.js'
import { readMeasurement } from '../page/read-measurement.js'
import { within } from '../within.js'

/**
 * One engine for the life of the service: its browser stays open, pages are measured one after the
 * other, and a browser that died is started again.
 */
export type EngineHost = {
  readonly engine: Engine
  /** The browser once it is up, or why there is none. Never rejects. */
  readonly started: Promise<E.Either<string, Browser>>
  /** One page's dump, or why this engine has none, within the deadline from when its turn came. Never rejects. */
  readonly measure: (html: string) => Promise<E.Either<string, Dump>>
  /** Ends the browser; a page that is being measured gets an error. */
  readonly close: () => Promise<void>
}

export type HostOptions = {
  readonly engine: Engine
  /** Starts the browser; each start has its number, from 1 on. */
  readonly start: (number: number) => Promise<Browser>
  readonly deadlineMs: number
  /** Takes a line for stderr: a restart, a start that failed. */
  readonly report: (line: string) => void
}

export const hostEngine = ({ engine, start, deadlineMs, report }: HostOptions): EngineHost => {
  let starts = 0
  let closing = false
  const startOnce = async (): Promise<E.Either<string, Browser>> => {
    starts += 1
    try {
      const browser = await start(starts)
      if (closing) await browser.close()
      return E.right(browser)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      report(why)
      return E.left(why)
    }
  }
  const started = startOnce()
  let running = started
  let queue: Promise<unknown> = started

  /** Measures within the deadline, and leaves an engine behind that can take the next page. */
  const attempt = async (browser: Browser, html: string): Promise<Measured | 'too-late'> => {
    const result = (await within(deadlineMs, browser.measure(html))) ?? 'too-late'
    if (closing) return engineFailed('the service is ending')
    if (result !== 'too-late' && result.type === 'measured') return result
    if (!(await browser.reset())) {
      report(`${engine}: ${result === 'too-late' ? 'a page does not end' : result.why}; it is started again`)
      await browser.close()
      running = startOnce()
    }
    return result
  }

  const measureNow = async (html: string, isLast = false): Promise<E.Either<string, Dump>> => {
    const browser = await running
    if (E.isLeft(browser)) return browser
    const result = await attempt(browser.right, html)
    if (result === 'too-late') return E.left(`the page did not end within ${deadlineMs / 1_000} s`)
    if (result.type === 'measured') return readMeasurement(engine, result.text)
    if (result.type === 'page-failed' || closing) return E.left(result.why)
    return isLast ? E.left(`${result.why}, twice with this page`) : measureNow(html, true)
  }

  return {
    engine,
    started,
    measure: (html) => {
      const turn = queue.then(() => measureNow(html))
      queue = turn
      return turn
    },
    close: async () => {
      closing = true
      const browser = await running
      if (E.isRight(browser)) await browser.right.close()
    },
  }
}
