import { readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/**
 * How to reach the embedded server, in the words of the driver, and what it is: the process ids of its
 * supervisor and its own, its data folder, and the version of its programs.
 */
const Address = t.type(
  {
    host: t.string,
    port: t.number,
    user: t.string,
    password: t.string,
    database: t.string,
    supervisor: t.number,
    server: t.number,
    data: t.string,
    version: t.string,
  },
  'ServerAddress',
)
export type ServerAddress = t.TypeOf<typeof Address>

/** The address that a supervisor has written, if there is one that can be read. */
export const readAddress = async (path: string): Promise<ServerAddress | null> => {
  try {
    const address = Address.decode(JSON.parse(await readFile(path, 'utf8')))
    return E.isRight(address) ? address.right : null
  } catch {
    return null
  }
}

/**
 * Whether the server of an address takes connections: it is greeted as a client greets it, and asks for a
 * password. One that is starting or ending refuses, and one that was killed left a dead socket behind.
 */
export const answers = ({ host, port, user, database }: ServerAddress): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(join(host, `.s.PGSQL.${port}`))
    const settle = (yes: boolean): void => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('connect', () => socket.write(greeting({ user, database })))
    socket.once('data', (reply) => settle(reply[0] === authenticationRequest))
    socket.once('close', () => resolve(false))
    socket.once('error', () => settle(false))
  })

const authenticationRequest = 'R'.charCodeAt(0)

/** The start-up message of protocol version 3.0: its length, the version, and names with their values. */
const greeting = (parameters: Readonly<Record<string, string>>): Buffer => {
  const text = Object.entries(parameters).map(([name, value]) => `${name}\0${value}\0`)
  const body = Buffer.from(`${text.join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + body.length, 0)
  head.writeInt32BE(3 << 16, 4)
  return Buffer.concat([head, body])
}
