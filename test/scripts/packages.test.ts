import { existsSync, lstatSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { makeCheckout, runNode } from './scratch.js'

test('an installation empties no folder that node_modules only links to', async (t) => {
  const folder = await makeCheckout(t, {})
  const other = join(folder, '..', 'of another checkout')
  await mkdir(other)
  await writeFile(join(other, 'kept'), '')
  await rm(join(folder, 'node_modules'))
  await symlink(other, join(folder, 'node_modules'))
  // Nothing to fetch.
  await writeFile(join(folder, 'package.json'), '{ "name": "none", "version": "1.0.0", "type": "module" }')
  const lock = { name: 'none', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'none' } } }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  await runNode(folder, 'scripts/setup.mjs')
  t.true(existsSync(join(other, 'kept')))
  t.false(lstatSync(join(folder, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false)
})

test('packages that match what the lock file lists are left alone', async (t) => {
  const folder = await makeCheckout(t, { 'domain/one.ts': 'export const one = 1' })
  const before = await readFile(join(folder, 'node_modules', '.package-lock.json'))
  const { stderr } = await runNode(folder, 'scripts/setup.mjs')
  t.notRegex(stderr, /installing/)
  t.deepEqual(await readFile(join(folder, 'node_modules', '.package-lock.json')), before)
})
