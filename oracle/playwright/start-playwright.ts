import type { BrowserContext, Page, Browser as PlaywrightBrowser } from 'playwright'
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
 * A browser driven by Playwright, each page under the viewport, pixel ratio and media features that every
 * dump is taken under. `folder` is for this start of this engine alone.
 */
export const startPlaywright = async (
  engine: Engine,
  choice: PlaywrightChoice,
  folder: string,
): Promise<Browser> => {
  const browser = await launch(engine, choice, browserEnvironment(folder))
  // Chromium gives each page a context of its own, in a fifth of a second. Firefox takes a whole one for that,
  // so there a page goes to a blank document first, which gives it a fresh realm as well.
  const [measureIn, keepsPage] =
    engine === 'chromium' ? ([measureIsolated, false] as const) : ([measureInPage, true] as const)
  let kept: Page | null = null

  const giveUp = async (): Promise<boolean> => {
    const context = kept?.context()
    kept = null
    return context === undefined || closed(context)
  }

  const measure = async (html: string): Promise<Measured> => {
    let crashed = false
    try {
      kept ??= await newPage(browser)
      const page = kept
      let onCrash = (): void => undefined
      const crash = new Promise<never>((_, reject) => {
        onCrash = () => {
          crashed = true
          reject(new Error('crash'))
        }
        page.once('crash', onCrash)
      })
      const text = await Promise.race([measureIn(page, html), crash])
      page.off('crash', onCrash)
      if (keepsPage || (await giveUp())) return measured(text)
      return engineFailed('it does not let a page go', true)
    } catch (error) {
      if (!browser.isConnected()) return engineFailed('the browser ended', true)
      const wentWell = await giveUp()
      if (crashed || !wentWell) return engineFailed("the page's process crashed", !wentWell)
      return pageFailed(reasonOf(error))
    }
  }

  return {
    engine,
    version: browser.version(),
    driver: await driverOf(choice),
    measure,
    reset: giveUp,
    close: async () => {
      await within(3_000, browser.close())
      killMarked(folder)
    },
  }
}

const newPage = async (browser: PlaywrightBrowser): Promise<Page> => {
  const context = await browser.newContext(contextOptions)
  const page = await context.newPage()
  // A window that a page opens is nobody's.
  context.on('page', (popup) => void popup.close().catch(() => undefined))
  return page
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
