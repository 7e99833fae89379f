import type { Page } from 'playwright'
import { measureHere } from '../page/measure-expression.js'

/**
 * Measures in a world of Chromium's that shares the page's document and nothing of its JavaScript.
 * A navigation ends that world, so a page that goes elsewhere can only fail.
 */
export const measureIsolated = async (page: Page, html: string): Promise<string> => {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'docket',
  })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: measureHere(html),
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails !== undefined) {
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  }
  if (typeof result.value !== 'string') throw new Error('the page went elsewhere while it was measured')
  return result.value
}
