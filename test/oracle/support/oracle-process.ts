import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { markedProcesses } from '../../../oracle/process/kill-marked.js'

/** What an oracle wrote on one line, as far as the tests look into it. */
export type Answer = {
  readonly id: string | null
  readonly dumps?: Readonly<Record<string, RawDump>>
  readonly errors?: Readonly<Record<string, string>>
  readonly ok?: boolean
  readonly engines?: unknown
  readonly protocol?: number
}

export type RawDump = {
  readonly engine: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly overflowed: boolean
  readonly nodes: ReadonlyArray<RawNode>
}

export type RawNode = {
  readonly index: number
  readonly parent: number
  readonly tag: string
  readonly depth: number
  readonly bounding: RawRect
  readonly rects: ReadonlyArray<RawRect>
  readonly style: Readonly<Record<string, string>>
}

type RawRect = { readonly x: number; readonly y: number; readonly w: number; readonly h: number }

/** An oracle as a real child process, in a temporary folder of its own. */
export type OracleProcess = {
  readonly child: ChildProcess
  /** Every line of its stdout so far. */
  readonly lines: ReadonlyArray<string>
  readonly send: (line: string) => void
  /** The next answer with this id. */
  readonly answerTo: (id: string | null) => Promise<Answer>
  readonly ask: (request: { readonly id: string } & Readonly<Record<string, unknown>>) => Promise<Answer>
  /** The processes that belong to it still: browsers, drivers, displays. */
  readonly processes: () => ReadonlyArray<number>
  /** What is left of its temporary folder. */
  readonly files: () => ReadonlyArray<string>
  /** Ends its input, and resolves with its exit code. */
  readonly end: () => Promise<number | null>
  readonly exited: Promise<number | null>
}

export const startOracle = (environment: Readonly<Record<string, string>> = {}): OracleProcess => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-test-'))
  const program = fileURLToPath(new URL('../../../../oracle/oracle.mjs', import.meta.url))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: folder, ...environment },
  })
  const lines: Array<string> = []
  const answers: Array<Answer> = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    answers.push(JSON.parse(line))
    for (const look of waiting) look()
  })
  child.stdin.on('error', () => undefined)

  const send = (line: string): void => void child.stdin.write(`${line}\n`)
  const answerTo = (id: string | null): Promise<Answer> =>
    new Promise((resolve) => {
      const look = (): void => {
        const place = answers.findIndex((answer) => answer.id === id)
        if (place === -1) return
        waiting.delete(look)
        resolve(answers.splice(place, 1)[0] as Answer)
      }
      waiting.add(look)
      look()
    })
  const exited = once(child, 'exit').then(([code]: ReadonlyArray<number | null>) => code ?? null)
  const files = (): ReadonlyArray<string> => (existsSync(folder) ? readdirSync(folder) : [])
  return {
    child,
    lines,
    send,
    answerTo,
    ask: (request) => {
      send(JSON.stringify(request))
      return answerTo(request.id)
    },
    processes: () => markedProcesses(folder),
    files,
    end: () => {
      child.stdin.end()
      return exited
    },
    exited,
  }
}

/** Looks again and again until it holds, for at most ten seconds. */
export const eventually = async (holds: () => boolean): Promise<boolean> => {
  const deadline = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return true
}
