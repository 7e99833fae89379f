import { execFile } from 'node:child_process'
import type { DriverChoice } from './choose-driver.js'

/**
 * The version that a browser says it has, without starting it; `null` where it says none. (WebKitGTK's
 * MiniBrowser says it on a display only.)
 */
export const readVersion = (choice: DriverChoice): Promise<string | null> => {
  if (choice.type === 'none') return Promise.resolve(null)
  return new Promise((resolve) => {
    execFile(choice.executable, ['--version'], { timeout: 5_000 }, (_, stdout) => {
      const [version] = /\d+(\.\d+)+/.exec(stdout) ?? []
      resolve(version ?? null)
    })
  })
}
