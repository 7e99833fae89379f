import type { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { engines as allEngines, type Engine } from '../../domain/engine.js'
import type { OracleRequest, OracleResponse } from '../protocol.js'
import type { EngineHost } from './engine-host.js'
import type { LineWriter } from './line-writer.js'
import { type Parsed, parseRequest } from './parse-request.js'
import { type Line, readLines } from './read-lines.js'

/**
 * Answers every line of the input, out of order where one engine is quicker than another, until the input
 * ends, a `shutdown` comes or `stop` is given; then what is in flight is answered still. Never rejects for
 * bad input.
 */
export const serve = async (
  input: Readable,
  output: LineWriter,
  hosts: ReadonlyArray<EngineHost>,
  stop: AbortSignal,
): Promise<void> => {
  const inFlight = new Set<Promise<void>>()
  let writing: Promise<void> = Promise.resolve()
  /** One answer at a time, each after the reader took enough of those before it. */
  const answer = (message: object): Promise<void> => {
    writing = writing.then(async () => {
      await output.room()
      output.write(message)
    })
    return writing
  }

  for await (const line of linesUntil(stop, input)) {
    const parsed = parseRequest(line)
    if (parsed.type === 'shutdown') {
      await Promise.all(inFlight)
      await answer({ id: parsed.id, ok: true })
      break
    }
    const work = respond(parsed, hosts, output).then(answer)
    inFlight.add(work)
    void work.finally(() => inFlight.delete(work))
  }
  await Promise.all(inFlight)
  await output.flushed()
}

async function* linesUntil(stop: AbortSignal, input: Readable): AsyncGenerator<Line, void> {
  const lines = readLines(input)
  const stopped = new Promise<null>((resolve) => {
    if (stop.aborted) resolve(null)
    stop.addEventListener('abort', () => resolve(null), { once: true })
  })
  for (;;) {
    const next = await Promise.race([lines.next(), stopped])
    if (next === null || next.done === true) return
    yield next.value
  }
}

const respond = async (
  parsed: Exclude<Parsed, { readonly type: 'shutdown' }>,
  hosts: ReadonlyArray<EngineHost>,
  output: LineWriter,
): Promise<object> => {
  switch (parsed.type) {
    case 'measure':
      return measure(parsed.request, hosts, output)
    case 'ping':
      return { id: parsed.id, ok: true, engines: await launched(hosts) }
    case 'describe':
      return describe(parsed.id, hosts)
    case 'invalid':
      return { id: parsed.id, dumps: {}, errors: { protocol: parsed.why } }
  }
}

const measure = async (
  { id, html, engines }: OracleRequest,
  hosts: ReadonlyArray<EngineHost>,
  output: LineWriter,
): Promise<OracleResponse> => {
  const asked = engines ?? hosts.map((host) => host.engine)
  const answers = await Promise.all(
    hosts
      .filter((host) => asked.includes(host.engine))
      .map(async (host) => {
        // Nothing is measured for a reader that does not keep up.
        await output.room()
        return [host.engine, await host.measure(html)] as const
      }),
  )
  const dumps = Object.fromEntries(
    answers.flatMap(([engine, result]) => (E.isRight(result) ? [[engine, result.right]] : [])),
  )
  const errors = [
    ...answers.flatMap(([engine, result]) => (E.isLeft(result) ? [[engine, result.left]] : [])),
    ...asked.filter(isUnknown).map((name) => [name, `there is no such engine (${allEngines.join(', ')})`]),
  ]
  return errors.length === 0 ? { id, dumps } : { id, dumps, errors: Object.fromEntries(errors) }
}

const isUnknown = (name: string): boolean => !(allEngines as ReadonlyArray<string>).includes(name)

/** The engines whose browser came up. Source: the protocol, "omitted means every engine the service launched". */
const launched = async (hosts: ReadonlyArray<EngineHost>): Promise<ReadonlyArray<Engine>> => {
  const started = await Promise.all(hosts.map((host) => host.started))
  return hosts
    .filter((_, place) => E.isRight(started[place] as E.Either<string, unknown>))
    .map((h) => h.engine)
}

const describe = async (id: string, hosts: ReadonlyArray<EngineHost>): Promise<object> => {
  const started = await Promise.all(hosts.map(async (host) => [host.engine, await host.started] as const))
  const up = started.flatMap(([engine, browser]) =>
    E.isRight(browser) ? [[engine, { version: browser.right.version, driver: browser.right.driver }]] : [],
  )
  const down = started.flatMap(([engine, browser]) => (E.isLeft(browser) ? [[engine, browser.left]] : []))
  const platform = `${process.platform} ${process.arch}`
  const description = { id, ok: true, protocol: 1, platform, engines: Object.fromEntries(up) }
  return down.length === 0 ? description : { ...description, errors: Object.fromEntries(down) }
}
