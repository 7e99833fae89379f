import { join } from 'node:path'

/** Where the embedded server keeps what is its own, below Docket's home. */
export const serverLayout = (home: string) => {
  const folder = join(home, 'postgres')
  return {
    folder,
    /** The cluster; it exists whole or not at all. */
    data: join(folder, 'data'),
    /** Held by the supervisor and every process of the server; nobody else touches the cluster. */
    lock: join(folder, 'lock'),
    log: join(folder, 'log'),
    password: join(folder, 'password'),
    /** There while the server accepts connections. */
    address: join(folder, 'address.json'),
  } as const
}

export type ServerLayout = ReturnType<typeof serverLayout>
