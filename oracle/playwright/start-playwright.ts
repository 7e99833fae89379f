import type { BrowserContext, Browser as PlaywrightBrowser } from 'playwright'
import { viewport } from '../../domain/dump.js'
import type { Engine } from '../../domain/engine.js'
import { type Browser, engineFailed, type Measured, measured, pageFailed } from '../browser.js'
import { browserEnvironment } from '../process/environment.js'
import { killMarked } from '../process/kill-marked.js'
import { within } from '../within.js'
import { launch, type PlaywrightChoice } from './launch.js'
import { measureInPage } from './measure-in-page.js'
import { measureIsolated } from './measure-isolated.js'

/**
 * A browser driven by Playwright. Each page has a context of its own, with the viewport, pixel ratio
 * and media features that every dump is taken under. `folder` is for this start of this engine alone.
 */
export const startPlaywright = async (
  engine: Engine,
  choice: PlaywrightChoice,
  folder: string,
): Promise<Browser> => {
  const browser = await launch(engine, choice, browserEnvironment(folder))
  const measureIn = engine === 'chromium' ? measureIsolated : measureInPage
  let current: BrowserContext | null = null

  const measure = async (html: string): Promise<Measured> => {
    let crashed = false
    try {
      const context = await browser.newContext(contextOptions)
      current = context
      const page = await context.newPage()
      page.on('crash', () => {
        crashed = true
      })
      const crash = new Promise<never>((_, reject) => page.on('crash', () => reject(new Error('crash'))))
      const text = await Promise.race([measureIn(page, html), crash])
      return (await closed(context)) ? measured(text) : engineFailed('did not give up the page', true)
    } catch (error) {
      if (!browser.isConnected()) return engineFailed('the browser ended', true)
      const left = current === null || (await closed(current))
      if (crashed || !left) return engineFailed("the page's process crashed", !left)
      return pageFailed(reasonOf(error))
    } finally {
      current = null
    }
  }

  return {
    engine,
    version: browser.version(),
    driver: await driverOf(choice),
    measure,
    reset: async () => current === null || (await closed(current)),
    close: async () => {
      await within(3_000, end(browser))
      killMarked(folder)
    },
  }
}

const contextOptions = {
  viewport,
  screen: viewport,
  deviceScaleFactor: 1,
  colorScheme: 'light',
  reducedMotion: 'no-preference',
  locale: 'en-US',
  timezoneId: 'UTC',
  acceptDownloads: false,
  serviceWorkers: 'block',
} as const

/** Closes a page with its context. A page that was just reloading itself can keep Chromium from it. */
const closed = async (context: BrowserContext): Promise<boolean> => {
  const close = async (): Promise<true> => {
    await context.close()
    return true
  }
  return (await within(3_000, close())) === true
}

const end = async (browser: PlaywrightBrowser): Promise<void> => {
  await browser.close()
}

const driverOf = async ({ build, executable }: PlaywrightChoice): Promise<string> => {
  const { default: about } = await import('playwright/package.json', { with: { type: 'json' } })
  return `Playwright ${about.version}, ${build === 'system' ? executable : 'its own build'}`
}

/** Playwright's message without its call log, cut to what a person reads. */
const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  if (/context was destroyed|Cannot find context|navigat|has been closed|no such frame/i.test(message)) {
    return 'the page went elsewhere while it was measured'
  }
  return (message.split('\nCall log')[0] as string).slice(0, 500)
}
