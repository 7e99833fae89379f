import type { Engine } from '../../domain/engine.js'
import { engines } from '../../domain/engine.js'
import { aptPackages, type DriverChoice } from '../choose-driver.js'
import { locate } from '../locate.js'
import { installWithApt } from './apt.js'
import { installWithPlaywright } from './playwright.js'

/**
 * Sees to it that each engine can be driven here, and says in plain lines what it does: Playwright's own
 * builds first, else the distribution's packages. Resolves with the exit code: 0, or 6 when an engine
 * is missing still, after saying which, why and what to type. Quick when nothing is missing.
 */
export const installBrowsers = async (say: (line: string) => void): Promise<number> => {
  const before = await missingEngines()
  if (before.length === 0) return 0
  const names = before.map(({ engine }) => engine)
  say(`Browsers to install: ${names.join(', ')}.`)
  await installWithPlaywright(names, say)
  const between = await missingEngines()
  if (between.length > 0) {
    const packages = between.flatMap(({ engine }) => aptPackages[engine])
    await installWithApt([...packages, 'fonts-dejavu-core'], say)
  }
  const after = await missingEngines()
  for (const { engine, choice } of after) say(`No ${engine}: ${choice.why}. Type: ${choice.advice}`)
  if (after.length > 0) return 6
  say('All three browsers are there.')
  return 0
}

type Missing = { readonly engine: Engine; readonly choice: Extract<DriverChoice, { readonly type: 'none' }> }

const missingEngines = async (): Promise<ReadonlyArray<Missing>> => {
  const choices = await locate()
  return engines.flatMap((engine) => {
    const choice = choices[engine]
    return choice.type === 'none' ? [{ engine, choice }] : []
  })
}
