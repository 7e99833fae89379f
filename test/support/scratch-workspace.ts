import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { type Checkout, openCheckout } from '../../runner/workspace/workspace.js'
import { commitAll } from './scratch-job.js'

/** A checkout with one commit, and beside it a folder for Docket's store and whatever a test puts outside. */
export type ScratchWorkspace = {
  readonly folder: string
  readonly workdir: string
  readonly git: (...args: ReadonlyArray<string>) => string
}

export const scratchWorkspace = (
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): ScratchWorkspace => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-workspace-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const workdir = join(folder, 'check out')
  mkdirSync(workdir)
  commitAll(workdir, files)
  return {
    folder,
    workdir,
    git: (...args) => execFileSync('git', [...args], { cwd: workdir, encoding: 'utf8' }).trim(),
  }
}

export const openScratch = (
  { workdir, folder, git }: ScratchWorkspace,
  ignores: ReadonlyArray<string> = [],
): Promise<Checkout> => openCheckout(workdir, join(folder, 'store.git'), git('rev-parse', 'HEAD'), ignores)

/** The paths that a kept tree holds. */
export const listed = ({ folder }: ScratchWorkspace, tree: string): ReadonlyArray<string> =>
  execFileSync('git', ['-c', 'core.quotePath=false', 'ls-tree', '-r', '-z', '--name-only', tree], {
    env: { ...process.env, GIT_DIR: join(folder, 'store.git') },
    encoding: 'utf8',
  })
    .split('\0')
    .filter(Boolean)
