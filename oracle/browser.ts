import type { Engine } from '../domain/engine.js'

/**
 * One running browser, whatever drives it. Every folder beside this file that drives an engine
 * gives one of these, and nothing outside of those folders knows how an engine is driven.
 */
export type Browser = {
  readonly engine: Engine
  readonly version: string
  /** How it is driven, for people: "Playwright 1.64.1, /usr/bin/chromium". */
  readonly driver: string
  /**
   * Loads a page that nothing of an earlier page reaches, and measures it. Never rejects. It may
   * also never end (a script that runs for ever): the caller sets the deadline, and then resets.
   */
  readonly measure: (html: string) => Promise<Measured>
  /** Lets go of a page that failed or does not end; `false` when only a restart of the browser helps. */
  readonly reset: () => Promise<boolean>
  /** Ends the browser and everything it started. Never rejects. */
  readonly close: () => Promise<void>
}

/** What came of one page: the text that the page's measurement gave, or who failed. */
export type Measured =
  | { readonly type: 'measured'; readonly text: string }
  | { readonly type: 'page-failed'; readonly why: string }
  | { readonly type: 'engine-failed'; readonly why: string }

export const measured = (text: string): Measured => ({ type: 'measured', text })
export const pageFailed = (why: string): Measured => ({ type: 'page-failed', why })
export const engineFailed = (why: string): Measured => ({ type: 'engine-failed', why })
