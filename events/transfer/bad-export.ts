/** Thrown where a file is no export, not the whole of one, or not what its hashes say. */
export class BadExport extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BadExport'
  }
}

/** Thrown where a ledger cannot take an export: it has events of its own, or may not be written to. */
export class CannotImport extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotImport'
  }
}
