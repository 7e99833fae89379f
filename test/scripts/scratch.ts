import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'

const checkout = fileURLToPath(new URL('../../../', import.meta.url))

/** A folder with this checkout's scripts, settings and packages, and with no sources but the given ones. */
export const makeCheckout = async (t: ExecutionContext, files: Readonly<Record<string, string>>) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'docket scripts ')), 'a checkout')
  t.teardown(() => rm(dirname(folder), { recursive: true, force: true }))
  await mkdir(folder)
  for (const name of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    await cp(join(checkout, name), join(folder, name), { recursive: true })
  }
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) await writeSource(folder, name, text)
  return folder
}

export const writeSource = async (folder: string, name: string, text: string) => {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

/** Runs a program of Node.js and keeps what it wrote. */
export const runNode = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const { NODE_ENV, DOCKET_TEST_DATABASE_URL, ...env } = process.env
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** A module of `scripts/`, which is no TypeScript and is not compiled. */
export const importScript = (name: string) =>
  import(new URL(`../../../scripts/${name}`, import.meta.url).href)
