import { note, noteColour } from './output.js'

export type Progress = { readonly at: (position: number) => void; readonly done: () => void }

/** How far a walk over the ledger is: a line that changes on a terminal, a plain one every ten seconds elsewhere. */
export const showProgress = (what: string, total: number): Progress => {
  const began = performance.now()
  const terminal = process.stderr.isTTY === true
  let shown = performance.now()
  return {
    at: (position) => {
      const now = performance.now()
      if (now - shown < (terminal ? 100 : 10_000)) return
      shown = now
      const rate = Math.round(position / ((now - began) / 1000))
      const line = `${what}: ${position} of ${total} events, ${rate} a second`
      if (terminal) process.stderr.write(`\r\u001b[K${noteColour.dim(line)}`)
      else note(line)
    },
    done: () => {
      if (terminal) process.stderr.write('\r\u001b[K')
    },
  }
}
