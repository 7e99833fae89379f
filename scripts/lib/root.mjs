import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout, absolute, however the script was called. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Whether this module is the program that runs, and not imported by another. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url)
}
