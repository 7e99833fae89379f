import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Names the run folder in the environment of each process that belongs to it. */
export const runFolderVariable = 'DOCKET_ORACLE_RUN'

/**
 * The environment of everything that is started for one start of an engine: a short list, with a
 * home of its own, so that no setting of the person who runs it changes a dump, and no session bus
 * or accessibility service is reached or started.
 */
export const browserEnvironment = (folder: string): Record<string, string> => {
  const home = join(folder, 'home')
  const runtime = join(folder, 'runtime')
  for (const each of [home, runtime]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'PLAYWRIGHT_BROWSERS_PATH']
  const own = Object.fromEntries(
    kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
  return {
    ...own,
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    NO_AT_BRIDGE: '1',
    GTK_A11Y: 'none',
    GSETTINGS_BACKEND: 'memory',
    [runFolderVariable]: folder,
  }
}
