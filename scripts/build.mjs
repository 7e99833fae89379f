import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { bundleCli } from './lib/bundle-cli.mjs'
import { withLock } from './lib/lock.mjs'
import { isMain, root } from './lib/root.mjs'
import { run, say, step } from './lib/step.mjs'

const dist = join(root, 'dist')
const stampFile = join(dist, '.build.json')
const buildInfo = join(dist, '.tsbuildinfo')
const cli = 'cli/main.ts'
const settings = ['tsconfig.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/lib/bundle-cli.mjs']

/** Files that are no TypeScript, that the code reads from beside itself at run time. */
const assets = ['.sql', '.html', '.css']

/**
 * Compiles the TypeScript into `dist/`, and makes `dist/tools/`: each tool of `cli/tools/` that has a launcher,
 * bundled into one file, with its launcher beside it. A job copies that folder, so it needs nothing around it.
 * `dist/bundle/` is the command line, made quick to load.
 *
 * Does nothing when no source changed. Outputs whose source is gone are removed: a test that was deleted must
 * not run. Resolves with 0, or with the compiler's exit code; what could be written is written all the same.
 */
export async function build() {
  const sources = listSources()
  const stamp = { sources: digest([...sources, ...settings]), outputs: outputsOf(sources) }
  const missing = stamp.outputs.filter((file) => !existsSync(join(dist, file)))
  if (missing.length === 0 && readStamp() === JSON.stringify(stamp)) return 0
  return step('building', async () => {
    rmSync(stampFile, { force: true })
    removeStale(new Set(stamp.outputs))
    // The compiler's own record does not notice outputs that were deleted.
    if (missing.length > 0) rmSync(buildInfo, { force: true })
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const code = await run(process.execPath, [tsc, '-p', '.'], { stdio: ['ignore', 2, 2] })
    for (const file of sources.filter(isAsset))
      writeIfChanged(join(dist, file), readFileSync(join(root, file)))
    const bundled = await bundle(sources, code === 0)
    if (code !== 0) say('the types do not check; see above')
    else if (bundled) writeIfChanged(stampFile, JSON.stringify(stamp))
    return code || (bundled ? 0 : 1)
  })
}

function listSources() {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  return include
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesUnder(join(root, folder)).map((file) => relative(root, file)))
    .map((file) => file.split(sep).join('/'))
    .filter((file) => isOurs(file) && (isTypeScript(file) || isAsset(file) || isLauncher(file)))
    .sort()
}

/** The packages to measure beside lie in `bench/`. */
const isOurs = (file) => !file.includes('/node_modules/')
const isTypeScript = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts')
const isAsset = (file) => assets.some((extension) => file.endsWith(extension))
const isLauncher = (file) => /^cli\/tools\/[^/.]+(\.sh)?$/.test(file)

/** The tools that are entries: `reference-check.ts` has `reference-check.sh`, `oracle.ts` has `oracle`. */
function toolsOf(sources) {
  const launchers = sources.filter(isLauncher)
  const named = new Set(launchers.map((file) => basename(file, '.sh')))
  const entries = sources.filter(
    (file) => /^cli\/tools\/[^/]+\.ts$/.test(file) && named.has(basename(file, '.ts')),
  )
  return { launchers, entries }
}

function outputsOf(sources) {
  const { launchers, entries } = toolsOf(sources)
  return [
    ...sources
      .filter(isTypeScript)
      .flatMap((file) => [`${file.slice(0, -3)}.js`, `${file.slice(0, -3)}.js.map`]),
    ...sources.filter(isAsset),
    ...launchers.map((file) => `tools/${basename(file)}`),
    ...(sources.includes(cli) ? ['bundle/main.js'] : []),
    ...entries.map((file) => `tools/${basename(file, '.ts')}.mjs`),
  ].sort()
}

/** Resolves with whether it could; esbuild has said why not. */
async function bundle(sources, whole) {
  try {
    await bundleTools(sources)
    if (whole && sources.includes(cli)) replaceBundle(await bundleCli())
    return true
  } catch (error) {
    if (error.errors === undefined) throw error
    return false
  }
}

function replaceBundle(files) {
  for (const { path, contents } of files) writeIfChanged(path, contents)
  const current = new Set(files.map((file) => file.path))
  for (const file of filesUnder(join(dist, 'bundle'))) if (!current.has(file)) rmSync(file)
}

async function bundleTools(sources) {
  const { launchers, entries } = toolsOf(sources)
  for (const file of launchers) {
    writeIfChanged(join(dist, 'tools', basename(file)), readFileSync(join(root, file)), 0o755)
  }
  if (entries.length === 0) return
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: join(dist, 'tools'),
    outExtension: { '.js': '.mjs' },
    entryNames: '[name]',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // A package in CommonJS calls `require` for Node's own modules, which an ES module does not have.
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    logLevel: 'warning',
    write: false,
  })
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents)
}

function removeStale(outputs) {
  if (!existsSync(dist)) return
  for (const file of filesUnder(dist)) {
    const name = relative(dist, file).split(sep).join('/')
    if (name.includes('/') && !name.startsWith('bundle/') && !outputs.has(name)) rmSync(file, { force: true })
  }
}

/** By rename, so that a job that starts meanwhile copies the old file or the new one, never a part. */
function writeIfChanged(file, contents, mode = 0o644) {
  const bytes = Buffer.from(contents)
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) {
    mkdirSync(dirname(file), { recursive: true })
    const partial = `${file}.${process.pid}.tmp`
    writeFileSync(partial, bytes, { mode })
    renameSync(partial, file)
  }
  chmodSync(file, mode)
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

function digest(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
}

if (isMain(import.meta.url)) process.exitCode = await withLock(build)
