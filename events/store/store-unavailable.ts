/** Thrown where the database does not answer; the message tells a person what to look at. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.name = 'StoreUnavailable'
  }
}
