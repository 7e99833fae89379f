/**
 * The little of the DOM that measuring a page needs. (The `dom` library of the compiler would put
 * a browser's globals into every file of this program, where there are none.)
 */
export type PageWindow = {
  readonly document: PageDocument
  setTimeout(run: () => void, milliseconds: number): unknown
  addEventListener(type: string, listener: () => void): void
  getComputedStyle(element: PageElement): PageStyle
}

export type PageDocument = {
  open(): void
  write(html: string): void
  close(): void
  createElement(tag: 'iframe'): PageFrame
  readonly body: { append(frame: PageFrame): void }
}

export type PageFrame = {
  readonly contentWindow: PageWindow
  readonly style: { cssText: string }
  onload: (() => void) | null
  setAttribute(name: string, value: string): void
}

export type PageElement = object

export type PageStyle = { getPropertyValue(name: string): string }
