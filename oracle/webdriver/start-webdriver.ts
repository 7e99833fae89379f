import type { Engine } from '../../domain/engine.js'
import { type Browser, engineFailed, type Measured, measured, pageFailed } from '../browser.js'
import type { DriverChoice } from '../choose-driver.js'
import { blankPage } from '../page/blank-page.js'
import { measureExpression } from '../page/measure-expression.js'
import { browserEnvironment } from '../process/environment.js'
import { killMarked } from '../process/kill-marked.js'
import { within } from '../within.js'
import { WebDriverError } from './client.js'
import { fitViewport } from './fit-viewport.js'
import { startDisplay } from './start-display.js'
import { startDriver } from './start-driver.js'

type WebDriverChoice = Extract<DriverChoice, { readonly type: 'webdriver' }>

/**
 * WebKitGTK's MiniBrowser driven by WebKitWebDriver. There is one window; each page gets a fresh realm
 * in it by going to a blank page without an origin first. `folder` is for this start alone.
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
    await client.send('POST', `${session}/timeouts`, { script: deadlineMs, pageLoad: deadlineMs })
    await fitViewport(client, session)

    const measure = async (html: string): Promise<Measured> => {
      try {
        await client.send('POST', `${session}/url`, { url: blankPage })
        const text = await client.send('POST', `${session}/execute/async`, {
          script,
          args: [expressionOf(html)],
        })
        await closePopups()
        return typeof text === 'string'
          ? measured(text)
          : pageFailed('the page went elsewhere while it was measured')
      } catch (error) {
        if (!(error instanceof WebDriverError)) throw error
        return failureOf(error)
      }
    }
    const closePopups = async (): Promise<void> => {
      const handles = (await client.send('GET', `${session}/window/handles`)) as ReadonlyArray<string>
      if (handles.length === 1) return
      const [own, ...popups] = handles
      for (const popup of popups) {
        await client.send('POST', `${session}/window`, { handle: popup })
        await client.send('DELETE', `${session}/window`)
      }
      await client.send('POST', `${session}/window`, { handle: own })
    }
    return {
      engine,
      version: granted.browserVersion,
      driver: `WebKitWebDriver, ${choice.executable}`,
      measure,
      // A script that never ends holds the page's process, and with it the session.
      reset: async () => false,
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

const expressionOf = (html: string): string => measureExpression(html, { silenceDialogs: true })

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
      return engineFailed(`WebKitWebDriver: ${error.message}`, true)
  }
}
