import { viewport } from '../../domain/dump.js'
import type { Client } from './client.js'

/**
 * Sizes the window so that the viewport is exactly the one every dump is taken under. MiniBrowser's tool
 * bar takes some of the window's height, so the window is resized by the difference until it fits.
 */
export const fitViewport = async (client: Client, session: string): Promise<void> => {
  let window = { ...viewport } as { width: number; height: number }
  let inner = { width: 0, height: 0 }
  for (let attempt = 0; attempt < 10; attempt++) {
    await client.send('POST', `${session}/window/rect`, window)
    inner = (await client.send('POST', `${session}/execute/sync`, {
      script: 'return { width: innerWidth, height: innerHeight }',
      args: [],
    })) as typeof inner
    const missing = { width: viewport.width - inner.width, height: viewport.height - inner.height }
    if (missing.width === 0 && missing.height === 0) return
    window = { width: window.width + missing.width, height: window.height + missing.height }
    // The window manager, or the server without one, resizes in its own time.
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, 50 * attempt))
  }
  throw new Error(
    `the viewport is ${inner.width} by ${inner.height} px and cannot be made ${viewport.width} by ${viewport.height}`,
  )
}
