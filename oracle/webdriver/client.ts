/** A session with a WebDriver server. `send` rejects with a `WebDriverError` that names the spec's code. */
export type Client = {
  readonly send: (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>
}

/** An error of the protocol (`script timeout`), or `unreachable` when the server did not answer. */
export class WebDriverError extends Error {
  readonly code: string
  constructor(message: string, options: ErrorOptions & { readonly code: string }) {
    super(message, options)
    this.code = options.code
  }
}

/** Speaks WebDriver classic over HTTP to a server on this machine. Source: W3C WebDriver, section 6. */
export const connect = (port: number): Client => ({
  send: async (method, path, body) => {
    const answer = await request(`http://127.0.0.1:${port}${path}`, method, body)
    const value = valueIn(answer)
    if (isError(value)) throw new WebDriverError(value.message, { code: value.error })
    return value
  },
})

const request = async (url: string, method: string, body: object | undefined): Promise<unknown> => {
  try {
    const response = await fetch(
      url,
      body === undefined ? { method } : { method, body: JSON.stringify(body) },
    )
    return await response.json()
  } catch (cause) {
    throw new WebDriverError('the driver does not answer', { code: 'unreachable', cause })
  }
}

const valueIn = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'value' in answer ? answer.value : null

const isError = (value: unknown): value is { readonly error: string; readonly message: string } =>
  typeof value === 'object' && value !== null && 'error' in value && 'message' in value
