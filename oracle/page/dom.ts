/**
 * The little of the DOM that measuring a page needs. (The `dom` library of the compiler would put
 * a browser's globals into every file of this program, where there are none.)
 */
export type PageWindow = {
  readonly document: PageDocument
  name: string
  setTimeout(run: () => void, milliseconds: number): unknown
  addEventListener(type: string, listener: () => void): void
  getComputedStyle(element: PageElement): PageStyle
} & Record<'alert' | 'confirm' | 'prompt' | 'print', unknown>

export type PageDocument = {
  open(): void
  write(html: string): void
  close(): void
  readonly fonts?: { readonly ready: PromiseLike<unknown> }
}

export type PageElement = object

export type PageStyle = { getPropertyValue(name: string): string }
