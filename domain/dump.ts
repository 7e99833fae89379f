import * as t from 'io-ts'
import { Engine } from './engine.js'

/**
 * What one browser reports of one page: every element in document order with its boxes and a
 * fixed list of computed styles. Lengths are CSS pixels as doubles, relative to the viewport.
 * Source: the frozen dump format.
 */
export const styleProperties = [
  'display',
  'position',
  'box-sizing',
  'direction',
  'writing-mode',
  'float',
  'clear',
  'width',
  'height',
  'min-width',
  'max-width',
  'min-height',
  'max-height',
  'margin-top',
  'margin-right',
  'margin-bottom',
  'margin-left',
  'padding-top',
  'padding-right',
  'padding-bottom',
  'padding-left',
  'border-top-width',
  'border-right-width',
  'border-bottom-width',
  'border-left-width',
  'overflow-x',
  'overflow-y',
] as const

/** The viewport of every dump, in CSS pixels; a dump taken under another one is no answer. */
export const viewport = { width: 800, height: 600 } as const

const Rect = t.type({ x: t.number, y: t.number, w: t.number, h: t.number }, 'Rect')
export type Rect = t.TypeOf<typeof Rect>

const DumpNode = t.type(
  {
    index: t.number,
    parent: t.number,
    tag: t.string,
    depth: t.number,
    bounding: Rect,
    rects: t.array(Rect),
    style: t.record(t.string, t.string),
  },
  'DumpNode',
)
export type DumpNode = t.TypeOf<typeof DumpNode>

export const Dump = t.type(
  {
    engine: Engine,
    viewport: t.type({ width: t.number, height: t.number }),
    overflowed: t.boolean,
    nodes: t.array(DumpNode),
  },
  'Dump',
)
export type Dump = t.TypeOf<typeof Dump>
