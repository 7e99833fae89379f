import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { type Client, connect } from './client.js'

/** A WebDriver server that answers, and whether it still runs. */
export type DriverProcess = { readonly client: Client; readonly hasEnded: () => boolean }

/** Starts WebKitWebDriver on a port that is free, and waits until it answers. */
export const startDriver = async (
  path: string,
  environment: Record<string, string>,
): Promise<DriverProcess> => {
  const port = await freePort()
  const driver = spawn(path, [`--port=${port}`], { stdio: 'ignore', env: environment })
  let ended: string | null = null
  driver.once('error', (error) => {
    ended = error.message
  })
  driver.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? code}`
  })
  driver.unref()
  const client = connect(port)
  const deadline = performance.now() + 10_000
  for (;;) {
    if (ended !== null) throw new Error(`WebKitWebDriver did not start: ${ended}`)
    if (await answers(client)) return { client, hasEnded: () => ended !== null }
    if (performance.now() > deadline) throw new Error('WebKitWebDriver did not answer within 10 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const answers = async (client: Client): Promise<boolean> => {
  try {
    await client.send('GET', '/status')
    return true
  } catch {
    return false
  }
}

/** WebKitWebDriver takes no port 0, so the kernel is asked for a free one first. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
