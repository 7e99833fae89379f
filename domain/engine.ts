import * as t from 'io-ts'

/** The three browsers, in the order in which every list and table names them. */
export const engines = ['chromium', 'firefox', 'webkit'] as const

export const Engine = t.keyof({ chromium: null, firefox: null, webkit: null }, 'Engine')
export type Engine = t.TypeOf<typeof Engine>
