import ignore, { type Ignore } from 'ignore'
import { git } from './git.js'

/** Whether a path of the checkout is left out of snapshots; a folder's path ends in `/`. */
export type Ignores = (path: string) => boolean

/**
 * The ignore rules of a commit and of the manifest. What the working tree's own `.gitignore` files say
 * now does not count: the writer could hide files with them.
 */
export const ignoreRules = async (
  workdir: string,
  commit: string,
  patterns: ReadonlyArray<string>,
): Promise<Ignores> => {
  const rules = new Map<string, Ignore>()
  for (const path of await ignoreFiles(workdir, commit)) {
    const text = await git(['cat-file', 'blob', `${commit}:${path}`], { cwd: workdir })
    rules.set(path.slice(0, -'.gitignore'.length), ignore({ ignoreCase: false }).add(text.toString('utf8')))
  }
  const ofManifest = ignore({ ignoreCase: false }).add([...patterns])
  return (path) => ofManifest.ignores(path) || ignoredBy(rules, path)
}

const ignoreFiles = async (workdir: string, commit: string): Promise<ReadonlyArray<string>> => {
  const listed = await git(['ls-tree', '-r', '-z', '--name-only', commit], { cwd: workdir })
  return listed
    .toString('utf8')
    .split('\0')
    .filter((path) => path === '.gitignore' || path.endsWith('/.gitignore'))
}

/** The rules nearest to the path decide first. */
const ignoredBy = (rules: ReadonlyMap<string, Ignore>, path: string): boolean => {
  for (let folder = parent(path); ; folder = parent(folder)) {
    const verdict = rules.get(folder)?.test(path.slice(folder.length))
    if (verdict?.ignored === true) return true
    if (verdict?.unignored === true || folder === '') return false
  }
}

/** The folder that holds a path, with its slash at the end; the root is the empty path. */
const parent = (path: string): string => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
