/** What was found where an argument of a check points: its bytes, nothing, or what may not be read. */
export type FileContent =
  | { readonly tag: 'bytes'; readonly bytes: Uint8Array }
  | { readonly tag: 'missing' }
  | { readonly tag: 'unreadable'; readonly why: string }

export type CheckInput = {
  /** One for each argument that the check was called with, in their order. */
  readonly files: ReadonlyArray<FileContent>
  /** The manifest's globs that commits must stay within. */
  readonly touches: ReadonlyArray<string>
  /** Paths, relative to the checkout's root, that the job's commits change. */
  readonly changed: ReadonlyArray<string>
}

export type CheckResult =
  | { readonly tag: 'passed'; readonly notes: ReadonlyArray<string> }
  | { readonly tag: 'failed'; readonly messages: ReadonlyArray<string> }
  | { readonly tag: 'could-not-run'; readonly why: string }

/** A check that a script stage may name: what it is called, what it takes, and its verdict. */
export type Check = {
  readonly name: string
  /** The arguments in the words of a usage line; a call gives one path for each. */
  readonly parameters: ReadonlyArray<string>
  readonly run: (input: CheckInput) => CheckResult
}

export const passed = (notes: ReadonlyArray<string>): CheckResult => ({ tag: 'passed', notes })
export const failed = (messages: ReadonlyArray<string>): CheckResult => ({ tag: 'failed', messages })
export const couldNotRun = (why: string): CheckResult => ({ tag: 'could-not-run', why })
