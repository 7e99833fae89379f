import type { CuttingProxy } from './cutting-proxy.js'
import type { FaultServer } from './fault-server.js'
import type { Random } from './random.js'

/** How often each thing was done to the writers and the server. */
export type Misfortunes = {
  readonly killed: number
  readonly cut: number
  readonly ended: number
  readonly crashed: number
}

export const noMisfortune: Misfortunes = { killed: 0, cut: 0, ended: 0, crashed: 0 }

export const addMisfortunes = (a: Misfortunes, b: Misfortunes): Misfortunes => ({
  killed: a.killed + b.killed,
  cut: a.cut + b.cut,
  ended: a.ended + b.ended,
  crashed: a.crashed + b.crashed,
})

type Victims = {
  readonly server: FaultServer
  readonly proxy: CuttingProxy
  readonly database: string
  /** Kills one of the writers and starts another in its place. */
  readonly killOne: () => void
}

/**
 * Some misfortunes at moments that a seed decides, for about as many milliseconds as are given: most kill a
 * writer, others cut one of the connections or end its process in the server.
 *
 * @param crashes Whether the server is crashed as well, once and in the middle.
 */
export const inflict = async (
  random: Random,
  { server, proxy, database, killOne }: Victims,
  forMs: number,
  crashes: boolean,
): Promise<Misfortunes> => {
  let { killed, ended, crashed } = noMisfortune
  const cutBefore = proxy.cuts()
  const until = performance.now() + forMs
  const crashAt = performance.now() + forMs / 2
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 10 + random.below(50)))
    if (crashes && crashed === 0 && performance.now() > crashAt) {
      await server.down()
      await server.up()
      crashed = 1
    }
    const which = random.below(10)
    if (which < 5) {
      killOne()
      killed += 1
    } else if (which < 8) proxy.cutOne(random.below)
    else ended += await endOne(server, database, random)
  }
  return { killed, cut: proxy.cuts() - cutBefore, ended, crashed }
}

/** Ends the server's process of one connection; resolves with how many were ended. */
const endOne = async (server: FaultServer, database: string, random: Random): Promise<number> => {
  const { rows } = await server.ask(
    database,
    `select pg_terminate_backend(pid) as ended from pg_stat_activity
     where datname = current_database() and application_name = 'docket'
     order by state = 'active' desc, md5(pid::text || '${random.below(1_000_000)}') limit 1`,
  )
  return (rows as ReadonlyArray<{ readonly ended: boolean }>).filter(({ ended }) => ended).length
}
