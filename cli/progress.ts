import { note, noteColour } from './output.js'

export type Progress = { readonly at: (what: string, position: number) => void; readonly done: () => void }

/** How far a walk over the ledger is: a line that changes on a terminal, a plain one every ten seconds elsewhere. */
export const showProgress = (doing: string, total: number): Progress => {
  let current = { what: '', began: performance.now() }
  const terminal = process.stderr.isTTY === true
  let shown = performance.now()
  return {
    at: (what, position) => {
      const now = performance.now()
      if (what !== current.what) current = { what, began: now }
      if (now - shown < (terminal ? 100 : 10_000)) return
      shown = now
      const rate = Math.round(position / ((now - current.began) / 1000))
      const line = `${doing} ${what}: ${position} of ${total} events, ${rate} a second`
      if (terminal) process.stderr.write(`\r\u001b[K${noteColour.dim(line)}`)
      else note(line)
    },
    done: () => {
      if (terminal) process.stderr.write('\r\u001b[K')
    },
  }
}
