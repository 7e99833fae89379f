import test from 'ava'
import { engines } from '../../domain/engine.js'
import { locate } from '../../oracle/locate.js'
import { readVersion } from '../../oracle/read-version.js'

test('the browsers of this machine are found, and Chromium and Firefox say their versions', async (t) => {
  const choices = await locate()
  for (const engine of engines) t.not(choices[engine].type, 'none', engine)
  for (const engine of ['chromium', 'firefox'] as const) {
    t.regex((await readVersion(choices[engine])) ?? 'none', /^\d+\.\d/, engine)
  }
})

test('a choice without a browser has no version', async (t) => {
  t.is(await readVersion({ type: 'none', why: 'it is not there', advice: 'install it' }), null)
})
