import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Run = {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
}

/** Runs a launcher of `cli/tools/` with an environment that has nothing of a job but what is given. */
export const runTool = async (
  name: string,
  { args = [], env = {}, cwd, input = '' }: Run,
): Promise<Ended> => {
  const child = spawn(resolve('cli', 'tools', name), args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code, stdout, stderr] = await Promise.all([
    new Promise<number | null>((done, failed) => {
      child.on('error', failed)
      child.on('close', done)
    }),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/** A folder with a space in its name, gone when the test is. */
export const scratchFolder = async (t: ExecutionContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'docket tools '))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export type StubRunner = {
  readonly env: Readonly<Record<string, string>>
  /** What was asked, in order. */
  readonly asked: Array<unknown>
}

/** Stands for a stage's runner: answers each line with what `reply` makes of it; `null` hangs up. */
export const stubRunner = async (
  t: ExecutionContext,
  reply: (request: Readonly<Record<string, unknown>>) => object | null,
): Promise<StubRunner> => {
  const folder = await mkdtemp(join(tmpdir(), 'dt-'))
  const path = join(folder, 's')
  const asked: Array<unknown> = []
  const server = createServer((connection) => {
    let heard = ''
    connection.on('error', () => connection.destroy())
    connection.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk
      if (!heard.endsWith('\n')) return
      const request: Readonly<Record<string, unknown>> = JSON.parse(heard)
      asked.push(request)
      const answer = reply(request)
      connection.end(answer === null ? '' : `${JSON.stringify(answer)}\n`)
    })
  })
  await new Promise<void>((listening) => server.listen(path, listening))
  t.teardown(async () => {
    await new Promise((closed) => server.close(closed))
    await rm(folder, { recursive: true, force: true })
  })
  return { env: { DOCKET_SOCKET: path, DOCKET_TOKEN: 'secret' }, asked }
}
