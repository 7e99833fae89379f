import * as t from 'io-ts'

/**
 * The checkout at one moment. `tree` is the Git tree of its files with their exact bytes, untracked
 * ones included; `commit` is its HEAD and `commitTree` the tree of that commit, so that equal ones
 * tell that nothing is uncommitted. `leftOut` names what a snapshot cannot hold, with the reason.
 */
export const Workspace = t.strict(
  {
    tree: t.string,
    commit: t.string,
    commitTree: t.string,
    leftOut: t.readonlyArray(t.strict({ path: t.string, why: t.string })),
  },
  'Workspace',
)
export type Workspace = t.TypeOf<typeof Workspace>
