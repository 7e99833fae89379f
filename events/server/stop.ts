import { readAddress } from './address.js'
import { serverLayout } from './layout.js'

/** Stops the embedded server of a home, if one runs, and waits until it is gone. */
export const stopServer = async (home: string): Promise<void> => {
  const address = await readAddress(serverLayout(home).address)
  if (address === null || !signal(address.supervisor, 'SIGTERM')) return
  while (signal(address.supervisor, 0)) await new Promise((resolve) => setTimeout(resolve, 20))
}

const signal = (pid: number, name: 'SIGTERM' | 0): boolean => {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}
