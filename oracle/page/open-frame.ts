import type { PageWindow } from './dom.js'

/**
 * Opens a frame of this size over a blank page, and gives its window, whose realm is new. It runs inside
 * the browser. The sandbox keeps dialogs, printing, popups and the outer window from the page; the
 * frame shares the outer one's origin, which is none, so that it can be measured from there.
 */
export const openFrame = (
  window: PageWindow,
  size: { readonly width: number; readonly height: number },
): Promise<PageWindow> =>
  new Promise((resolve) => {
    const frame = window.document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    frame.style.cssText = `position:fixed;left:0;top:0;border:0;width:${size.width}px;height:${size.height}px`
    // Firefox puts the blank document there in its own time, and would put it over the page.
    frame.onload = () => {
      frame.onload = null
      resolve(frame.contentWindow)
    }
    window.document.body.append(frame)
  })
