import type { PageDocument, PageElement, PageWindow } from './dom.js'

/** What the measurement needs to know, as plain data: it is taken into the browser as text. */
export type MeasureInput = {
  readonly html: string
  readonly styleProperties: ReadonlyArray<string>
  readonly fontsWithinMs: number
}

/**
 * Writes a page into a window's blank document and measures it, in one call: the document that is dumped
 * is the document that was written, or the call ends in an error. It runs inside the browser, so it
 * uses nothing from outside itself, and gives text: `{"viewport", "pixelRatio", "overflowed", "nodes"}`
 * or `{"error"}`. `clock` is the window whose timers it waits by; a page that goes elsewhere takes those of
 * its own with it.
 *
 * A page cannot lie to it. Every function and accessor that it uses later is taken before the
 * page's first script runs, and the text is put together from primitives, since `JSON.stringify` of
 * an object would ask the page's own `toJSON`.
 */
export const measurePage = async (
  window: PageWindow,
  clock: PageWindow,
  input: MeasureInput,
): Promise<string> => {
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, defineProperty } = Reflect
  const quote = JSON.stringify
  const { addEventListener, getComputedStyle } = window
  const { setTimeout } = clock
  const document = window.document

  /** The accessor of that name, on the object or what it inherits from, as a function. */
  const getter = <A>(owner: object, name: string): ((self: object) => A) => {
    for (let at: object | null = owner; at !== null; at = getPrototypeOf(at)) {
      const get = getOwnPropertyDescriptor(at, name)?.get
      if (get !== undefined) return (self) => apply(get, self, [])
    }
    throw new Error(`this browser has no accessor ${name}`)
  }
  /** The method of that name, as a function of its object. */
  const method = <A, B extends ReadonlyArray<unknown>>(
    owner: object,
    name: string,
  ): ((self: object, ...args: B) => A) => {
    const run: unknown = Reflect.get(owner, name)
    if (typeof run !== 'function') throw new Error(`this browser has no method ${name}`)
    return (self, ...args) => apply(run, self, args)
  }

  const probe = Reflect.get(document, 'documentElement') as PageElement
  const documentOf = getter<PageDocument>(window, 'document')
  const windowOf = getter<PageWindow | null>(document, 'defaultView')
  const readyState = getter<string>(document, 'readyState')
  const rootOf = getter<PageElement | null>(document, 'documentElement')
  const scrollerOf = getter<PageElement | null>(document, 'scrollingElement')
  const fontsOf = getter<object>(document, 'fonts')
  const fontsStatus = getter<string>(Reflect.get(document, 'fonts') as object, 'status')
  const innerWidth = getter<number>(window, 'innerWidth')
  const innerHeight = getter<number>(window, 'innerHeight')
  const pixelRatio = getter<number>(window, 'devicePixelRatio')
  const firstChild = getter<PageElement | null>(probe, 'firstElementChild')
  const nextSibling = getter<PageElement | null>(probe, 'nextElementSibling')
  const tagName = getter<string>(probe, 'tagName')
  const scrollWidth = getter<number>(probe, 'scrollWidth')
  const scrollHeight = getter<number>(probe, 'scrollHeight')
  const clientWidth = getter<number>(probe, 'clientWidth')
  const clientHeight = getter<number>(probe, 'clientHeight')
  const boundingOf = method<object, []>(probe, 'getBoundingClientRect')
  const rectsOf = method<object, []>(probe, 'getClientRects')
  const someRects = rectsOf(probe)
  const countOf = getter<number>(someRects, 'length')
  const rectAt = method<object, [number]>(someRects, 'item')
  const someRect = boundingOf(probe)
  const x = getter<number>(someRect, 'x')
  const y = getter<number>(someRect, 'y')
  const w = getter<number>(someRect, 'width')
  const h = getter<number>(someRect, 'height')
  const computedValue = method<string, [string]>(getComputedStyle(probe), 'getPropertyValue')
  const styleOf = (element: PageElement): object => apply(getComputedStyle, window, [element])
  const later = (run: () => void, milliseconds: number): unknown =>
    apply(setTimeout, clock, [run, milliseconds])
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void later(resolve, milliseconds))

  const failure = (why: string): string => `{"error":${quote(why)}}`
  const wentElsewhere = 'the page went elsewhere while it was measured'

  const mark = Symbol('the document that was written')
  defineProperty(document, mark, { value: mark })
  const isStillThere = (): boolean => {
    try {
      const found = documentOf(window)
      return found === document && windowOf(found) === window && Reflect.get(found, mark) === mark
    } catch {
      // Firefox denies even the question when the next document has another origin.
      return false
    }
  }

  document.open()
  // After `open`, which takes every listener away. A page that loaded once counts as loaded, even if it opens
  // itself again and never closes.
  let hasLoaded = false
  apply(addEventListener, window, [
    'load',
    () => {
      hasLoaded = true
    },
  ])
  document.write(input.html)
  document.close()
  for (let seenComplete = 0; !hasLoaded && isStillThere(); await pause(5)) {
    // WebKit stops parsing where a script navigates. What is there then is half a page, which never loads.
    if (readyState(document) === 'complete' && ++seenComplete > 3) return failure(wentElsewhere)
  }
  // For the page's own load handlers.
  await pause(0)
  if (!isStillThere()) return failure(wentElsewhere)

  const layOut = (): void => {
    const root = rootOf(document)
    if (root !== null) boundingOf(root)
  }
  // Not `fonts.ready`: a promise is the page's to break. Layout is what asks for a font.
  let waited = 0
  for (layOut(); fontsStatus(fontsOf(document)) === 'loading'; layOut()) {
    if (waited >= input.fontsWithinMs) {
      return failure(`the page's fonts were not ready after ${input.fontsWithinMs} ms`)
    }
    await pause(10)
    waited += 10
  }
  if (!isStillThere()) return failure(wentElsewhere)
  const root = rootOf(document)
  if (root === null) return failure('the page has no root element')

  const box = (rect: object): string => `{"x":${x(rect)},"y":${y(rect)},"w":${w(rect)},"h":${h(rect)}}`
  const describe = (element: PageElement, index: number, parent: number, depth: number): string => {
    const list = rectsOf(element)
    const count = countOf(list)
    let rects = ''
    for (let n = 0; n < count; n++) rects += (n === 0 ? '' : ',') + box(rectAt(list, n))
    const bounding = count === 0 ? '{"x":0,"y":0,"w":0,"h":0}' : box(boundingOf(element))
    const style = styleOf(element)
    let values = ''
    for (let n = 0; n < input.styleProperties.length; n++) {
      const name = input.styleProperties[n] as string
      values += `${n === 0 ? '' : ','}${quote(name)}:${quote(computedValue(style, name))}`
    }
    return (
      `{"index":${index},"parent":${parent},"tag":${quote(tagName(element))},"depth":${depth},` +
      `"bounding":${bounding},"rects":[${rects}],"style":{${values}}}`
    )
  }

  let nodes = ''
  let count = 0
  // The way down to the current element, as a linked list: an array would call the page's setters.
  type Step = { readonly element: PageElement; readonly index: number; readonly above: Step | null }
  let above: Step | null = null
  let depth = 0
  let element: PageElement | null = root
  while (element !== null) {
    const index = count++
    nodes += (index === 0 ? '' : ',') + describe(element, index, above === null ? -1 : above.index, depth)
    let next = firstChild(element)
    if (next !== null) {
      above = { element, index, above }
      depth += 1
    } else {
      next = element === root ? null : nextSibling(element)
      while (next === null && above !== null) {
        const parent: Step = above
        above = parent.above
        depth -= 1
        next = parent.element === root ? null : nextSibling(parent.element)
      }
    }
    element = next
  }

  // In quirks mode the body scrolls the viewport, unless it is a scroller itself.
  const scroller = scrollerOf(document) ?? root
  const overflowed =
    scrollWidth(scroller) > clientWidth(scroller) || scrollHeight(scroller) > clientHeight(scroller)
  return (
    `{"viewport":{"width":${innerWidth(window)},"height":${innerHeight(window)}},` +
    `"pixelRatio":${pixelRatio(window)},"overflowed":${overflowed},"nodes":[${nodes}]}`
  )
}
