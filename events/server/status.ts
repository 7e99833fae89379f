import { existsSync } from 'node:fs'
import { answers, readAddress } from './address.js'
import { serverLayout } from './layout.js'

/** What a person wants to know of the embedded server. */
export type ServerStatus = {
  readonly state: 'running' | 'stopped' | 'never started'
  readonly data: string
  readonly log: string
  readonly supervisor: number | null
  readonly socketFolder: string | null
}

/** Looks without starting anything. */
export const serverStatus = async (home: string): Promise<ServerStatus> => {
  const layout = serverLayout(home)
  const address = await readAddress(layout.address)
  const running = address !== null && (await answers(address))
  const made = running || existsSync(layout.data) || existsSync(layout.password)
  return {
    state: running ? 'running' : made ? 'stopped' : 'never started',
    data: layout.data,
    log: layout.log,
    supervisor: running ? address.supervisor : null,
    socketFolder: running ? address.host : null,
  }
}
