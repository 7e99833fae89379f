import { styleProperties } from '../../domain/dump.js'
import { type MeasureInput, measurePage } from './measure-page.js'

/** The measurement of one page as JavaScript that gives a promise of its text. */
export const measureExpression = (html: string, { silenceDialogs = false } = {}): string => {
  const input: MeasureInput = { html, styleProperties, fontsWithinMs: 5_000, silenceDialogs }
  return `(${measurePage})(window, ${JSON.stringify(input)})`
}
