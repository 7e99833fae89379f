import type { Page } from 'playwright'
import { blankPage } from '../page/blank-page.js'
import { measureExpression } from '../page/measure-expression.js'

/**
 * Measures in the page's own world, where Playwright offers no other (Firefox, WebKit): what the
 * measurement uses is taken before the page's first script runs, and each page starts in a fresh realm.
 */
export const measureInPage = async (page: Page, html: string): Promise<string> => {
  await page.goto(blankPage)
  const text: unknown = await page.evaluate(measureExpression(html))
  if (typeof text !== 'string') throw new Error('the page went elsewhere while it was measured')
  return text
}
