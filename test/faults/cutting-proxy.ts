import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

export type Direction = 'to-server' | 'to-client'

/** After how many bytes in one direction a connection is cut; those before them arrive. */
export type Cut = { readonly direction: Direction; readonly afterBytes: number }

export type CuttingProxy = {
  readonly port: number
  /** The bytes that the newest connection has carried. */
  readonly carried: () => Readonly<Record<Direction, number>>
  /** How many connections were cut. */
  readonly cuts: () => number
  /** Cuts the newest connection once it has carried so many more bytes. */
  readonly cutNewest: (cut: Cut) => void
  /** Cuts one of the open connections now, if there is one. */
  readonly cutOne: (choose: (open: number) => number) => void
  readonly close: () => Promise<void>
}

/**
 * A way to the server of a Unix socket that dies where it is told to, as a cable does: both ends are reset at
 * once, and neither learns what the other one had read.
 *
 * @param cutOf Asked for each new connection, numbered from 0.
 */
export const startCuttingProxy = async (
  serverSocket: string,
  cutOf: (connection: number) => Cut | null,
): Promise<CuttingProxy> => {
  const open = new Set<() => void>()
  let newest: Record<Direction, number> = { 'to-server': 0, 'to-client': 0 }
  const cutAt = new WeakMap<Record<Direction, number>, Cut>()
  let connections = 0
  let cuts = 0

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = createConnection(serverSocket)
    const planned = cutOf(connections)
    connections += 1
    const own: Record<Direction, number> = { 'to-server': 0, 'to-client': 0 }
    if (planned !== null) cutAt.set(own, planned)
    newest = own
    const end = (): void => {
      open.delete(end)
      client.resetAndDestroy()
      upstream.destroy()
    }
    open.add(end)
    const carry = (from: Socket, to: Socket, direction: Direction): void => {
      from.on('data', (bytes) => {
        const cut = cutAt.get(own)
        const left = cut?.direction === direction ? cut.afterBytes - own[direction] : bytes.length
        if (left < bytes.length) {
          cuts += 1
          // The last ones that arrive have to be on their way before the end is.
          if (left > 0) to.write(bytes.subarray(0, left), end)
          else end()
          return
        }
        own[direction] += bytes.length
        to.write(bytes)
      })
      from.on('error', end)
      from.on('close', end)
    }
    carry(client, upstream, 'to-server')
    carry(upstream, client, 'to-client')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  return {
    port: address.port,
    carried: () => ({ ...newest }),
    cutNewest: ({ direction, afterBytes }) => {
      cutAt.set(newest, { direction, afterBytes: newest[direction] + afterBytes })
    },
    cuts: () => cuts,
    cutOne: (choose) => {
      const end = [...open][choose(open.size)]
      if (end === undefined) return
      cuts += 1
      end()
    },
    close: async () => {
      for (const end of open) end()
      server.close()
      await once(server, 'close')
    },
  }
}
