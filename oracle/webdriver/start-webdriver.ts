import type { Engine } from '../../domain/engine.js'
import { type Browser, engineFailed, type Measured, measured, pageFailed } from '../browser.js'
import type { DriverChoice } from '../choose-driver.js'
import { blankPage } from '../page/blank-page.js'
import { measureInFrame } from '../page/measure-expression.js'
import { browserEnvironment } from '../process/environment.js'
import { killMarked } from '../process/kill-marked.js'
import { within } from '../within.js'
import { WebDriverError } from './client.js'
import { fitViewport } from './fit-viewport.js'
import { startDisplay } from './start-display.js'
import { startDriver } from './start-driver.js'

type WebDriverChoice = Extract<DriverChoice, { readonly type: 'webdriver' }>

/**
 * WebKitGTK's MiniBrowser driven by WebKitWebDriver. There is one window, which goes to a blank page without
 * an origin for each page, and measures it in a frame there. `folder` is for this start alone.
 */
export const startWebDriver = async (
  engine: Engine,
  choice: WebDriverChoice,
  folder: string,
  deadlineMs: number,
): Promise<Browser> => {
  const environment = browserEnvironment(folder)
  try {
    const display = await startDisplay(choice.display, environment)
    const driver = await startDriver(choice.driver, {
      ...environment,
      DISPLAY: display.name,
      GDK_BACKEND: 'x11',
    })
    const { client } = driver
    const opened = await client.send('POST', '/session', {
      capabilities: { alwaysMatch: capabilities(choice.executable) },
    })
    const { sessionId, capabilities: granted } = opened as Session
    const session = `/session/${sessionId}`
    // A little less, so that a page that only waits is told by the driver, and costs no restart.
    const limit = Math.round(deadlineMs * 0.9)
    await client.send('POST', `${session}/timeouts`, { script: limit, pageLoad: limit })
    await fitViewport(client, session)

    const measure = async (html: string): Promise<Measured> => {
      try {
        await client.send('POST', `${session}/url`, { url: blankPage })
        const text = await client.send('POST', `${session}/execute/async`, {
          script,
          args: [measureInFrame(html)],
        })
        return typeof text === 'string'
          ? measured(text)
          : pageFailed('the page went elsewhere while it was measured')
      } catch (error) {
        if (!(error instanceof WebDriverError)) throw error
        return failureOf(error)
      }
    }
    // A script that never ends holds the page's process, and with it the session.
    const reset = async (): Promise<boolean> =>
      (await within(1_000, client.send('POST', `${session}/url`, { url: blankPage }))) !== undefined
    return {
      engine,
      version: granted.browserVersion,
      driver: `WebKitWebDriver, ${choice.executable}`,
      measure,
      reset,
      close: async () => {
        await within(1_000, client.send('DELETE', session))
        await display.end()
        killMarked(folder)
      },
    }
  } catch (error) {
    killMarked(folder)
    throw error
  }
}

type Session = {
  readonly sessionId: string
  readonly capabilities: { readonly browserVersion: string }
}

const capabilities = (binary: string): object => ({
  'webkitgtk:browserOptions': { binary, args: ['--automation'] },
  unhandledPromptBehavior: 'dismiss',
  // Nothing listens there: every request is refused at once.
  proxy: {
    proxyType: 'manual',
    httpProxy: '127.0.0.1:1',
    sslProxy: '127.0.0.1:1',
    socksProxy: '127.0.0.1:1',
    socksVersion: 5,
    noProxy: [],
  },
})

/** The page's text as an argument, since WebKitWebDriver builds the script's own text anew. */
const script = `
  const done = arguments[arguments.length - 1]
  const run = async () => {
    let text
    try {
      text = await (0, eval)(arguments[0])
    } catch (error) {
      text = JSON.stringify({ error: String(error) })
    }
    done(text)
  }
  run()
`

/** Which failures are the page's: a script that never ended, a dialog, a frame that is gone. */
const failureOf = (error: WebDriverError): Measured => {
  switch (error.code) {
    case 'script timeout':
    case 'timeout':
      return pageFailed('the page was not ready in time')
    case 'javascript error':
    case 'unexpected alert open':
      return pageFailed(error.message)
    default:
      return engineFailed(`WebKitWebDriver: ${error.message}`)
  }
}
