import type { Page } from 'playwright'
import { blankPage } from '../page/blank-page.js'
import { measureInFrame } from '../page/measure-expression.js'

/** Measures in a frame of a new blank page, where Playwright offers no isolated world (Firefox, WebKit). */
export const measureFramed = async (page: Page, html: string): Promise<string> => {
  await page.goto(blankPage)
  const text: unknown = await page.evaluate(measureInFrame(html))
  if (typeof text !== 'string') throw new Error('the page went elsewhere while it was measured')
  return text
}
