import type { Engine } from '../domain/engine.js'

/** What this machine has, of all that could drive the engines; `null` where there is none. */
export type Found = {
  readonly playwrightBuild: Readonly<Record<Engine, string | null>>
  readonly systemBrowser: Readonly<Record<Engine, string | null>>
  /** A system browser that cannot be used, since it is a snap, which hides its profile folder. */
  readonly snap: Readonly<Record<Engine, string | null>>
  readonly webkitDriver: string | null
  readonly xvfb: string | null
  readonly display: string | null
  /** Whether missing packages come from apt, so that advice can name them. */
  readonly apt: boolean
}

/** How one engine is driven here, or why it cannot be and what to type. */
export type DriverChoice =
  | { readonly type: 'playwright'; readonly executable: string; readonly build: 'playwright' | 'system' }
  | {
      readonly type: 'webdriver'
      readonly executable: string
      readonly driver: string
      readonly display: Display
    }
  | { readonly type: 'none'; readonly why: string; readonly advice: string }

export type Display =
  | { readonly type: 'xvfb'; readonly path: string }
  | { readonly type: 'existing'; readonly name: string }

/** The Debian and Ubuntu packages that give each engine. */
export const aptPackages: Readonly<Record<Engine, ReadonlyArray<string>>> = {
  chromium: ['chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
}

/**
 * The way to drive an engine: Playwright's own build where there is one, since it is the same on every
 * machine; else the system's browser, Chromium and Firefox through Playwright and WebKit through
 * WebKitWebDriver, in a display of its own where that is possible.
 */
export const chooseDriver = (engine: Engine, found: Found): DriverChoice => {
  const build = found.playwrightBuild[engine]
  if (build !== null) return { type: 'playwright', executable: build, build: 'playwright' }
  const missing = whatIsMissing(engine, found)
  if (missing !== null) return { type: 'none', why: missing, advice: adviceFor(engine, found) }
  const executable = found.systemBrowser[engine] as string
  if (engine !== 'webkit') return { type: 'playwright', executable, build: 'system' }
  const display: Display =
    found.xvfb !== null
      ? { type: 'xvfb', path: found.xvfb }
      : { type: 'existing', name: found.display as string }
  return { type: 'webdriver', executable, driver: found.webkitDriver as string, display }
}

const whatIsMissing = (engine: Engine, found: Found): string | null => {
  if (engine === 'webkit') {
    if (found.webkitDriver === null) return 'there is neither a build of Playwright nor WebKitWebDriver'
    if (found.systemBrowser.webkit === null)
      return "there is WebKitWebDriver, but not WebKitGTK's MiniBrowser"
    if (found.xvfb === null && found.display === null) return 'there is neither a display nor Xvfb'
    return null
  }
  if (found.systemBrowser[engine] !== null) return null
  const snap = found.snap[engine]
  return snap === null
    ? 'there is neither a build of Playwright nor a browser of the system'
    : `there is only a snap (${snap}), whose confinement keeps it from being driven`
}

const adviceFor = (engine: Engine, found: Found): string => {
  const playwright = `npx playwright install --with-deps ${engine}`
  const useless = engine !== 'webkit' && found.snap[engine] !== null
  if (!found.apt || useless) return playwright
  return `sudo apt-get install ${aptPackages[engine].join(' ')}   (or: ${playwright})`
}
