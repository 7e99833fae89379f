import { git } from './git.js'

/** HEAD of a checkout: its commit and that commit's tree, both empty when it names no commit. */
export type Head = { readonly commit: string; readonly commitTree: string }

/** A stage may leave HEAD on a branch without a commit, or no repository at all; its files are there all the same. */
export const headOf = async (workdir: string): Promise<Head> => {
  const out = await git(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}'], { cwd: workdir }).catch(() => null)
  const [commit = '', commitTree = ''] = out?.toString('latin1').split('\n') ?? []
  return { commit, commitTree }
}

/** The branch that HEAD names, as a full ref; `null` when it names a commit itself. */
export const branchOf = async (workdir: string): Promise<string | null> =>
  symbolicRef('HEAD', { cwd: workdir })

/** Keeps the name of a branch under a ref of the store. */
export const keepBranch = async (store: string, ref: string, branch: string): Promise<void> => {
  await git(['symbolic-ref', `refs/docket-head/${ref}`, branch], { gitDir: store })
}

export const keptBranch = (store: string, ref: string): Promise<string | null> =>
  symbolicRef(`refs/docket-head/${ref}`, { gitDir: store })

const symbolicRef = async (
  ref: string,
  where: { readonly cwd: string } | { readonly gitDir: string },
): Promise<string | null> => {
  const out = await git(['symbolic-ref', '--quiet', ref], where).catch(() => null)
  return out?.toString('utf8').replace(/\n$/, '') ?? null
}
