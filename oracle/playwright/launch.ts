import type { Browser as PlaywrightBrowser } from 'playwright'
import type { Engine } from '../../domain/engine.js'
import type { DriverChoice } from '../choose-driver.js'

/** A browser that Playwright drives: what a launch needs, whichever engine it is. */
export type PlaywrightChoice = Extract<DriverChoice, { readonly type: 'playwright' }>

/** Refuses every connection at once: nothing may listen on this port, and a refusal takes no time. */
const nowhere = { host: '127.0.0.1', port: 1 }

/** Starts a browser through Playwright, with `environment` as the whole of its environment. */
export const launch = async (
  engine: Engine,
  choice: PlaywrightChoice,
  environment: Record<string, string>,
): Promise<PlaywrightBrowser> => {
  // Playwright's import takes a third of a second, which nothing but a start should pay.
  const playwright = await import('playwright')
  const ofSystem = choice.build === 'system' ? { executablePath: choice.executable } : {}
  return playwright[engine].launch({
    ...ofSystem,
    ...optionsOf[engine](choice),
    env: environment,
    timeout: 30_000,
    // The service ends its browsers itself, in its own order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
}

const optionsOf = {
  // Playwright itself adds `--no-sandbox`, without which Chromium does not start as root.
  chromium: () => ({
    proxy: { server: `http://${nowhere.host}:${nowhere.port}`, bypass: '<-loopback>' },
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  }),
  firefox: ({ build }: PlaywrightChoice) => ({
    // A stock Firefox has no Juggler, which Playwright's own build is driven by; this one speaks BiDi.
    ...(build === 'system' ? { channel: 'moz-firefox' } : {}),
    firefoxUserPrefs: {
      // Firefox ESR's scrollbars take 12 px of the viewport otherwise.
      'ui.useOverlayScrollbars': 1,
      'network.proxy.type': 1,
      'network.proxy.http': nowhere.host,
      'network.proxy.http_port': nowhere.port,
      'network.proxy.ssl': nowhere.host,
      'network.proxy.ssl_port': nowhere.port,
      'network.proxy.socks': nowhere.host,
      'network.proxy.socks_port': nowhere.port,
      'network.proxy.no_proxies_on': '',
      'network.proxy.allow_hijacking_localhost': true,
      'network.dns.disablePrefetch': true,
      'media.peerconnection.enabled': false,
    },
  }),
  webkit: () => ({ proxy: { server: `http://${nowhere.host}:${nowhere.port}` } }),
} as const
