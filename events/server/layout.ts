import { join } from 'node:path'

/** Where the embedded server keeps what is its own, below Docket's home. */
export const serverLayout = (home: string) => {
  const folder = join(home, 'postgres')
  return {
    folder,
    /** The cluster; it exists whole or not at all. As root without namespaces it lies elsewhere. */
    data: join(folder, 'data'),
    /** Held by the supervisor alone, whose process id is its content. */
    lock: join(folder, 'lock'),
    /** Held by every process that works in the cluster, so that none is there when it can be taken. */
    clusterLock: join(folder, 'cluster-lock'),
    log: join(folder, 'log'),
    password: join(folder, 'password'),
    /** There while the server accepts connections. */
    address: join(folder, 'address.json'),
  } as const
}

export type ServerLayout = ReturnType<typeof serverLayout>
