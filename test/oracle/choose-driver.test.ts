import test from 'ava'
import { engines } from '../../domain/engine.js'
import { chooseDriver, type Found } from '../../oracle/choose-driver.js'

const none = { chromium: null, firefox: null, webkit: null }
const nothing: Found = {
  playwrightBuild: none,
  systemBrowser: none,
  snap: none,
  webkitDriver: null,
  xvfb: null,
  display: null,
  apt: true,
}
const debian: Found = {
  ...nothing,
  systemBrowser: { chromium: '/c', firefox: '/f', webkit: '/m' },
  webkitDriver: '/w',
  xvfb: '/x',
}
const builds = { chromium: '/pc', firefox: '/pf', webkit: '/pw' }

test("Playwright's own builds come before the system's browsers", (t) => {
  for (const engine of engines) {
    t.deepEqual(chooseDriver(engine, { ...debian, playwrightBuild: builds }), {
      type: 'playwright',
      executable: builds[engine],
      build: 'playwright',
    })
  }
})

test("the system's Chromium and Firefox are driven by Playwright, its WebKit by WebDriver under Xvfb", (t) => {
  t.deepEqual(chooseDriver('chromium', debian), { type: 'playwright', executable: '/c', build: 'system' })
  t.deepEqual(chooseDriver('firefox', debian), { type: 'playwright', executable: '/f', build: 'system' })
  const display = { type: 'xvfb', path: '/x' } as const
  t.deepEqual(chooseDriver('webkit', debian), { type: 'webdriver', executable: '/m', driver: '/w', display })
})

test('WebKit takes the display that is there where there is no Xvfb', (t) => {
  const choice = chooseDriver('webkit', { ...debian, xvfb: null, display: ':0' })
  t.deepEqual(choice.type === 'webdriver' && choice.display, { type: 'existing', name: ':0' })
})

test('each engine is chosen for itself', (t) => {
  const mixed = { ...debian, playwrightBuild: { ...none, webkit: '/pw' } }
  t.is(chooseDriver('webkit', mixed).type, 'playwright')
  t.like(chooseDriver('firefox', mixed), { build: 'system' })
})

test('where there is nothing, the choice says why and what to type', (t) => {
  for (const engine of engines) {
    const choice = chooseDriver(engine, nothing)
    t.is(choice.type, 'none')
    t.regex(choice.type === 'none' ? choice.advice : '', /apt-get install .*npx playwright install/)
  }
  t.like(chooseDriver('webkit', { ...debian, xvfb: null }), { why: 'there is neither a display nor Xvfb' })
})

test('a snap is no browser to drive, and apt would only bring another', (t) => {
  const ubuntu = { ...nothing, snap: { ...none, firefox: '/usr/bin/firefox' } }
  t.like(chooseDriver('firefox', ubuntu), {
    type: 'none',
    advice: 'npx playwright install --with-deps firefox',
  })
})
