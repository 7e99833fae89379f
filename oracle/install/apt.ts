import { existsSync } from 'node:fs'
import { run } from './run.js'

/** Installs packages of Debian or Ubuntu, where this is one of them and we may. */
export const installWithApt = async (
  packages: ReadonlyArray<string>,
  say: (line: string) => void,
): Promise<void> => {
  if (!existsSync('/usr/bin/apt-get')) return
  if (process.getuid?.() !== 0)
    return say('Installing packages of the system takes root, so that is left to you.')
  say(`Installing ${packages.join(' ')} from the distribution…`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await run(['apt-get', 'update', '-q'], 180_000, environment)
  if (updated !== null) say(`apt-get update failed: ${updated}.`)
  // One at a time, since one that does not exist (Ubuntu has no firefox-esr) would keep all others out.
  for (const each of packages) {
    const options = ['-y', '-q', '--no-install-recommends']
    const failed = await run(['apt-get', 'install', ...options, each], 600_000, environment)
    if (failed !== null) say(`apt-get install ${each} failed: ${failed}.`)
  }
}
