import { mkdirSync } from 'node:fs'
import type { Engine } from '../domain/engine.js'
import type { Browser } from './browser.js'
import type { DriverChoice } from './choose-driver.js'
import { startPlaywright } from './playwright/start-playwright.js'
import { startWebDriver } from './webdriver/start-webdriver.js'

/**
 * Starts an engine's browser the way that was chosen for it, in a new folder of this name. Rejects with a
 * message for people: which browser, why it does not start, and what to type.
 */
export const startBrowser = async (
  engine: Engine,
  choice: DriverChoice,
  folder: string,
  deadlineMs: number,
): Promise<Browser> => {
  if (choice.type === 'none') throw new Error(`no ${engine}: ${choice.why}. Type: ${choice.advice}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return choice.type === 'webdriver'
      ? await startWebDriver(engine, choice, folder, deadlineMs)
      : await startPlaywright(engine, choice, folder)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `${engine} does not start (${choice.executable}): ${firstLines(why)}. Type: docket doctor`
    throw new Error(message, { cause })
  }
}

const firstLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 3)
    .join(' / ')
    .slice(0, 500)
