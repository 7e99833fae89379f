import type { BrowserContext, Page, Browser as PlaywrightBrowser } from 'playwright'
import { viewport } from '../../domain/dump.js'
import type { Engine } from '../../domain/engine.js'
import { type Browser, engineFailed, type Measured, measured, pageFailed } from '../browser.js'
import { browserEnvironment } from '../process/environment.js'
import { killMarked } from '../process/kill-marked.js'
import { within } from '../within.js'
import { launch, type PlaywrightChoice } from './launch.js'
import { measureFramed } from './measure-framed.js'
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
    engine === 'chromium' ? ([measureIsolated, false] as const) : ([measureFramed, true] as const)
  let open: OpenPage | null = null

  const giveUp = async (): Promise<boolean> => {
    const context = open?.page.context()
    open = null
    return context === undefined || closed(context)
  }

  const measure = async (html: string): Promise<Measured> => {
    try {
      if (!keepsPage && !(await giveUp())) return engineFailed('it does not let the last page go')
      open ??= await openPage(browser)
      const text = await Promise.race([measureIn(open.page, html), open.crash])
      return text === crashed ? engineFailed("the page's process crashed") : measured(text)
    } catch (error) {
      return browser.isConnected() ? pageFailed(reasonOf(error)) : engineFailed('the browser ended')
    }
  }

  return {
    engine,
    version: browser.version(),
    driver: await driverOf(choice),
    measure,
    reset: async () => browser.isConnected() && (await giveUp()),
    close: async () => {
      await within(3_000, browser.close())
      killMarked(folder)
    },
  }
}

const crashed = Symbol('crashed')
type OpenPage = { readonly page: Page; readonly crash: Promise<typeof crashed> }

const openPage = async (browser: PlaywrightBrowser): Promise<OpenPage> => {
  const context = await browser.newContext(contextOptions)
  const page = await context.newPage()
  // A window that a page opens is nobody's.
  context.on('page', (popup) => void popup.close().catch(() => undefined))
  return { page, crash: new Promise((resolve) => page.once('crash', () => resolve(crashed))) }
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
