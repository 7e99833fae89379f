import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { answers, readAddress } from './address.js'
import { type ServerLayout, serverLayout } from './layout.js'
import { commandOf, supervises } from './process-id.js'
import { adviceIn, logEnd } from './server-log.js'

/** What a person wants to know of the embedded server. */
export type ServerStatus = {
  /** `silent`: a supervisor is there, and the server does not answer: it starts, ends, or hangs. */
  readonly state: 'running' | 'silent' | 'stopped' | 'never started'
  readonly data: string
  readonly log: string
  /** Process ids, and the version of the programs, while it runs. */
  readonly supervisor: number | null
  readonly server: number | null
  readonly version: string | null
  readonly socketFolder: string | null
  /** What is wrong, and what to do or type about it. */
  readonly problem: { readonly says: string; readonly help: string } | null
}

/** Looks without starting anything. */
export const serverStatus = async (home: string): Promise<ServerStatus> => {
  const layout = serverLayout(home)
  const address = await readAddress(layout.address)
  const running = address !== null && (await answers(address))
  const pid = Number(await readFile(layout.lock, 'utf8').catch(() => ''))
  const supervised = running || (await supervises(pid, home))
  const made = running || existsSync(layout.data) || existsSync(layout.password)
  const state = running ? 'running' : supervised ? 'silent' : made ? 'stopped' : 'never started'
  return {
    state,
    data: address?.data ?? layout.data,
    log: layout.log,
    supervisor: running ? address.supervisor : supervised ? pid : null,
    server: running ? address.server : null,
    version: running ? address.version : null,
    socketFolder: running ? address.host : null,
    problem: running ? await unwatched(address.supervisor) : await problemIn(state, layout, pid),
  }
}

/** A server without a supervisor is in use all the same, and never ends by itself. */
const unwatched = async (supervisor: number): Promise<ServerStatus['problem']> =>
  (await commandOf(supervisor)) === ''
    ? {
        says: `its supervisor (${supervisor}) is gone, or lives in another container`,
        help: 'nothing is lost; the next start of the server brings a new one',
      }
    : null

const problemIn = async (
  state: ServerStatus['state'],
  { folder, log }: ServerLayout,
  pid: number,
): Promise<ServerStatus['problem']> => {
  const lines = await logEnd(log)
  const advice = await adviceIn(folder, lines)
  if (advice !== null) return { says: lines.at(-1) || 'no server runs', help: advice }
  if (state !== 'silent') return null
  return {
    says: `supervisor ${pid} is there and its server does not answer`,
    help: `read ${log}, then: kill ${pid}`,
  }
}
