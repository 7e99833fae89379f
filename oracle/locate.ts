import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Engine } from '../domain/engine.js'
import { chooseDriver, type DriverChoice, type Found } from './choose-driver.js'

/** Which browser will be used for each engine on this machine, and how. Starts none of them. */
export const locate = async (): Promise<Readonly<Record<Engine, DriverChoice>>> => {
  const found = await look()
  return {
    chromium: chooseDriver('chromium', found),
    firefox: chooseDriver('firefox', found),
    webkit: chooseDriver('webkit', found),
  }
}

/** Everything on this machine that could drive an engine. */
const look = async (): Promise<Found> => {
  const chromium = systemBrowser(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'])
  const firefox = systemBrowser(['firefox-esr', 'firefox'])
  return {
    playwrightBuild: await playwrightBuilds(),
    systemBrowser: { chromium: chromium.path, firefox: firefox.path, webkit: miniBrowser() },
    snap: { chromium: chromium.snap, firefox: firefox.snap, webkit: null },
    webkitDriver: onPath('WebKitWebDriver'),
    xvfb: onPath('Xvfb'),
    display: process.env.DISPLAY || null,
    apt: onPath('apt-get') !== null,
  }
}

const playwrightBuilds = async (): Promise<Found['playwrightBuild']> => {
  // Asking Playwright takes its import, which is slow, so not where it can have put nothing.
  if (!existsSync(playwrightFolder())) return { chromium: null, firefox: null, webkit: null }
  const playwright = await import('playwright')
  const build = (engine: Engine): string | null => {
    const path = playwright[engine].executablePath()
    return existsSync(path) ? path : null
  }
  return { chromium: build('chromium'), firefox: build('firefox'), webkit: build('webkit') }
}

/** Where Playwright keeps its builds, as its documentation has it. */
const playwrightFolder = (): string => {
  const set = process.env.PLAYWRIGHT_BROWSERS_PATH
  // `0` means inside of the package, whose place only Playwright knows.
  if (set !== undefined && set !== '') return set === '0' ? '/' : set
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ms-playwright')
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright')
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ms-playwright')
}

const systemBrowser = (
  names: ReadonlyArray<string>,
): { readonly path: string | null; readonly snap: string | null } => {
  const paths = names.map(onPath).filter((path) => path !== null)
  return { path: paths.find((path) => !isSnap(path)) ?? null, snap: paths.find(isSnap) ?? null }
}

/** On Ubuntu `/usr/bin/firefox` and `/usr/bin/chromium-browser` are scripts that start a snap. */
const isSnap = (path: string): boolean => path.startsWith('/snap/') || headOf(path).includes('/snap/bin/')

const headOf = (path: string): string => {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(4_096)
    const read = readSync(file, bytes)
    const head = bytes.toString('latin1', 0, read)
    return head.startsWith('#!') ? head : ''
  } finally {
    closeSync(file)
  }
}

/** WebKitGTK keeps its browser outside of the path, in a folder per version and architecture. */
const miniBrowser = (): string | null => {
  const folders = ['/usr/lib', '/usr/libexec', '/usr/lib64', ...list('/usr/lib', /-linux-gnu/)]
  const found = folders.flatMap((folder) =>
    list(folder, /^webkit(2gtk|gtk)-/).map((each) => join(each, 'MiniBrowser')),
  )
  return found.filter(isExecutable).sort().at(-1) ?? null
}

const list = (folder: string, pattern: RegExp): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => join(folder, name))
    : []

/** Where a command of this name is. */
const onPath = (name: string): string | null => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
