import { styleProperties, viewport } from '../../domain/dump.js'
import { type MeasureInput, measurePage } from './measure-page.js'
import { openFrame } from './open-frame.js'

/** JavaScript that measures a page in the window where it is run, and gives a promise of its text. */
export const measureHere = (html: string): string =>
  `(${measurePage})(window, window, ${JSON.stringify(inputOf(html))})`

/**
 * JavaScript that measures a page in a new frame of the window where it is run. Whatever the page does to
 * its own realm, that of the measurement, and of the driver, is another one.
 */
export const measureInFrame = (html: string): string =>
  `(${openFrame})(window, ${JSON.stringify(viewport)})` +
  `.then((frame) => (${measurePage})(frame, window, ${JSON.stringify(inputOf(html))}))`

const inputOf = (html: string): MeasureInput => ({ html, styleProperties, fontsWithinMs: 5_000 })
