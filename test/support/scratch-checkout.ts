import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { commitAll } from './scratch-job.js'

/** A checkout with one commit, in a scratch folder in which a manifest can be written. */
export type ScratchCheckout = {
  readonly folder: string
  readonly workdir: string
  readonly manifest: (content: object | string) => string
}

export const scratchCheckout = (t: ExecutionContext): ScratchCheckout => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-input-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const workdir = join(folder, 'work')
  mkdirSync(workdir)
  commitAll(workdir, { 'a.txt': 'a' })
  return {
    folder,
    workdir,
    manifest: (content) => {
      const path = join(folder, 'manifest.json')
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
  }
}
