import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import { badUsage } from './exit.js'

/** Where lines go, with room made as they are taken. */
export type LineSink = {
  readonly write: (text: string) => Promise<void>
  readonly close: () => Promise<void>
  /** Leaves nothing half written where that can be. */
  readonly abandon: () => Promise<void>
}

export const toStdout = (): LineSink => ({
  write: async (text) => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
  close: async () => {},
  abandon: async () => {},
})

/** Under another name beside it until it is whole and on the disk. */
export const toFile = async (path: string): Promise<LineSink> => {
  const partial = `${path}.${process.pid}.part`
  const file = await open(partial, 'wx').catch((cause: NodeJS.ErrnoException) => {
    throw badUsage(`${path} cannot be written: ${cause.message}`)
  })
  let waiting = ''
  const flush = async (): Promise<void> => {
    await file.write(waiting)
    waiting = ''
  }
  return {
    write: async (text) => {
      waiting += text
      if (waiting.length > 65_536) await flush()
    },
    close: async () => {
      await flush()
      await file.sync()
      await file.close()
      await rename(partial, path)
    },
    abandon: async () => {
      await file.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}
