import test from 'ava'
import { importScript, makeCheckout } from './scratch.js'

const { wrongImports }: { wrongImports: (root: string) => ReadonlyArray<string> } =
  await importScript('lib/folders.mjs')

const cases: ReadonlyArray<readonly [file: string, text: string, allowed: boolean]> = [
  ['domain/a.ts', "import { b } from './values/b.js'", true],
  ['domain/a.ts', "import * as t from 'io-ts'", true],
  ['domain/a.ts', "import { right } from 'fp-ts/lib/Either.js'", true],
  ['domain/a.ts', "import type { E } from '../events/e.js'", false],
  ['domain/deep/a.ts', "import {\n  type E,\n} from '../../events/e.js'", false],
  ['domain/a.ts', "export type { E } from '../events/e.js'", false],
  ['domain/a.ts', "export * from '../events/e.js'", false],
  ['domain/a.ts', "export type E = import('../events/e.js').E", false],
  ['domain/a.ts', "export const e = () => import('../events/e.js')", false],
  ['domain/a.ts', "import 'node:fs'", false],
  ['domain/a.ts', "import type { Pool } from 'pg'", false],
  ['events/a.ts', "import { b } from '../domain/b.js'", true],
  ['events/a.ts', "import { up } from '../migrations/all.js'", true],
  ['events/a.ts', "import type { C } from '../commands/c.js'", false],
  ['migrations/a.ts', "import { sql } from 'kysely'", true],
  ['migrations/a.ts', "import { b } from '../domain/b.js'", false],
  ['projections/a.ts', "import type { C } from '../commands/c.js'", false],
  ['commands/a.ts', "import { p } from '../projections/p.js'", false],
  ['oracle/a.ts', "import type { D } from '../domain/d.js'", true],
  ['oracle/a.ts', "import type { E } from '../events/e.js'", false],
  ['runner/a.ts', "import { o } from '../oracle/client.js'", true],
  ['runner/a.ts', "import { c } from '../cli/main.js'", false],
  ['cli/a.ts', "import { r } from '../runner/r.js'", true],
  ['cli/a.ts', "import { h } from '../test/support/h.js'", false],
  ['test/a.ts', "import { c } from '../cli/main.js'", true],
]

for (const [file, text, allowed] of cases) {
  test(`${file} ${allowed ? 'may' : 'may not'} say ${text.replace(/\s+/g, ' ')}`, async (t) => {
    const wrong = wrongImports(await makeCheckout(t, { [file]: `// first\n${text}\n` }))
    t.is(wrong.length, allowed ? 0 : 1)
    if (!allowed) t.regex(wrong[0] ?? '', new RegExp(`^${file}:[0-9]+: `))
  })
}
