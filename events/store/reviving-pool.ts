import pg from 'pg'

type Connected = (
  cause: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void

/**
 * A pool that gives the server a chance to come back when it takes no connection. The embedded server ends
 * when nobody is connected for a while, and a store that is open may ask for nothing for as long: an agent works
 * for minutes. Nothing was sent yet, so trying once more repeats nothing.
 */
export class RevivingPool extends pg.Pool {
  readonly #revive: (cause: unknown) => Promise<void>

  /** @param revive Resolves when it is worth another try, and rejects with what to tell when it is not. */
  constructor(config: pg.PoolConfig, revive: (cause: unknown) => Promise<void>) {
    super(config)
    this.#revive = revive
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connected = super.connect().catch(async (cause: unknown) => {
      if (this.ending) throw cause
      await this.#revive(cause)
      return super.connect()
    })
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (cause: Error) => callback(cause, undefined, () => {}),
    )
    return undefined
  }
}
