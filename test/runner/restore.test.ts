import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { openCheckout } from '../../runner/workspace/workspace.js'
import { commitAll } from '../support/scratch-job.js'
import { openScratch, type ScratchWorkspace, scratchWorkspace } from '../support/scratch-workspace.js'

const headOf = ({ git }: ScratchWorkspace): ReadonlyArray<string> => [
  git('rev-parse', '--symbolic-full-name', 'HEAD'),
  git('rev-parse', 'HEAD'),
]

/** A folder beside the checkout that no restore may touch, with a file in it. */
const outsideOf = ({ folder }: ScratchWorkspace): string => {
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'b.txt'), 'not yours')
  return outside
}

test('HEAD goes back to the branch it was on, and the other branch keeps its commits', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  const [head, before] = [headOf(one), await checkout.snapshot('before')]
  one.git('switch', '--quiet', '--create', 'other')
  commitAll(one.workdir, { 'a.txt': 'changed' })
  const other = one.git('rev-parse', 'HEAD')
  await checkout.restore(before, 'before')
  t.deepEqual(headOf(one), head)
  t.is(one.git('rev-parse', 'refs/heads/other'), other)
  t.is(one.git('status', '--porcelain'), '')
})

test('HEAD goes back to its branch although the other branch has the same commit', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  const [head, before] = [headOf(one), await checkout.snapshot('before')]
  one.git('switch', '--quiet', '--create', 'other')
  await checkout.restore(before, 'before')
  t.deepEqual(headOf(one), head)
})

test('a detached HEAD is put back detached, and the branch that the stage went to is not moved', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  commitAll(one.workdir, { 'a.txt': 'b' })
  const main = one.git('rev-parse', 'main')
  one.git('checkout', '--quiet', '--detach', 'HEAD^')
  const checkout = await openScratch(one)
  const [head, before] = [headOf(one), await checkout.snapshot('before')]
  one.git('switch', '--quiet', 'main')
  await checkout.restore(before, 'before')
  t.deepEqual(headOf(one), head)
  t.is(one.git('rev-parse', 'main'), main)
})

test('a branch that the stage deleted or left without a commit is there again', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  const [head, before] = [headOf(one), await checkout.snapshot('before')]
  one.git('checkout', '--quiet', '--orphan', 'empty')
  one.git('branch', '--quiet', '--delete', '--force', 'main')
  await checkout.restore(before, 'before')
  t.deepEqual(headOf(one), head)
  one.git('update-ref', '-d', 'HEAD')
  await checkout.restore(before, 'before')
  t.deepEqual(headOf(one), head)
})

test('a linked worktree goes back to its own branch, and the main one stays where it is', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const workdir = join(one.folder, 'linked')
  one.git('worktree', 'add', '--quiet', '-b', 'linked', workdir)
  const linked: ScratchWorkspace = {
    folder: one.folder,
    workdir,
    git: (...args) => one.git('-C', workdir, ...args),
  }
  const [main, head] = [headOf(one), headOf(linked)]
  const checkout = await openCheckout(
    workdir,
    join(one.folder, 'store.git'),
    one.git('rev-parse', 'HEAD'),
    [],
  )
  const before = await checkout.snapshot('before')
  linked.git('switch', '--quiet', '--create', 'other')
  commitAll(workdir, { 'a.txt': 'changed' })
  await checkout.restore(before, 'before')
  t.deepEqual([headOf(one), headOf(linked)], [main, head])
})

test('a link where a folder was gives way, and nothing is written where it leads', async (t) => {
  const one = scratchWorkspace(t, { 'folder/b.txt': 'b', 'deep/er/b.txt': 'b' })
  const outside = outsideOf(one)
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  for (const folder of ['folder', 'deep/er']) {
    rmSync(join(one.workdir, folder), { recursive: true })
    symlinkSync(outside, join(one.workdir, folder))
  }
  await checkout.restore(before, 'before')
  t.deepEqual(await checkout.snapshot('after'), before)
  t.true(lstatSync(join(one.workdir, 'folder')).isDirectory())
  t.is(readFileSync(join(outside, 'b.txt'), 'utf8'), 'not yours')
})

test('an ignored link where a folder was gives way as well', async (t) => {
  const one = scratchWorkspace(t, { 'made/b.txt': 'b' })
  const outside = outsideOf(one)
  const checkout = await openScratch(one, ['/made', '/made/'])
  const before = await checkout.snapshot('before')
  rmSync(join(one.workdir, 'made'), { recursive: true })
  symlinkSync(outside, join(one.workdir, 'made'))
  await checkout.restore(before, 'before')
  t.deepEqual(await checkout.snapshot('after'), before)
  t.is(readFileSync(join(outside, 'b.txt'), 'utf8'), 'not yours')
})

test('a link that the stage replaced by a folder is put back, and nothing is removed where it leads', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const outside = outsideOf(one)
  symlinkSync(outside, join(one.workdir, 'link'))
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  rmSync(join(one.workdir, 'link'))
  mkdirSync(join(one.workdir, 'link'))
  writeFileSync(join(one.workdir, 'link', 'b.txt'), 'of the stage')
  await checkout.restore(before, 'before')
  t.is(readlinkSync(join(one.workdir, 'link')), outside)
  t.is(readFileSync(join(outside, 'b.txt'), 'utf8'), 'not yours')
})

test('a file that became a link is put back as a file, and what it leads to keeps its bytes', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const outside = outsideOf(one)
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  rmSync(join(one.workdir, 'a.txt'))
  symlinkSync(join(outside, 'b.txt'), join(one.workdir, 'a.txt'))
  await checkout.restore(before, 'before')
  t.true(lstatSync(join(one.workdir, 'a.txt')).isFile())
  t.is(readFileSync(join(outside, 'b.txt'), 'utf8'), 'not yours')
})

test('what a file and a folder became of each other is undone', async (t) => {
  const one = scratchWorkspace(t, { file: 'x', 'folder/b.txt': 'b', 'folder/c/d.txt': 'd' })
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  renameSync(join(one.workdir, 'file'), join(one.workdir, 'kept'))
  renameSync(join(one.workdir, 'folder'), join(one.workdir, 'file'))
  renameSync(join(one.workdir, 'kept'), join(one.workdir, 'folder'))
  await checkout.restore(before, 'before')
  t.deepEqual(await checkout.snapshot('after'), before)
})

test('a repository that the stage made of a folder goes, since it would hide the files of the folder', async (t) => {
  const one = scratchWorkspace(t, { 'folder/b.txt': 'b', 'folder/c/d.txt': 'd' })
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  execFileSync('git', ['init', '--quiet'], { cwd: join(one.workdir, 'folder') })
  await checkout.restore(before, 'before')
  t.deepEqual(await checkout.snapshot('after'), before)
})

test('locks that a killed Git left behind are removed, whether or not HEAD has moved', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  const names = ['index.lock', 'HEAD.lock', 'refs/heads/main.lock']
  const locks = names.map((name) => join(one.workdir, '.git', name))
  for (const lock of locks) writeFileSync(lock, '')
  await checkout.restore(before, 'before')
  t.deepEqual(locks.filter(existsSync), [])
  commitAll(one.workdir, { 'a.txt': 'changed' })
  for (const lock of locks) writeFileSync(lock, '')
  await checkout.restore(before, 'before')
  t.deepEqual(locks.filter(existsSync), [])
  t.is(one.git('rev-parse', 'HEAD'), before.commit)
})

test('what was there before putting back is kept under a ref of its own', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  writeFileSync(join(one.workdir, 'a.txt'), 'of the stage')
  await checkout.restore(before, 'before')
  const store = (...args: ReadonlyArray<string>): string =>
    execFileSync('git', [...args], {
      env: { ...process.env, GIT_DIR: join(one.folder, 'store.git') },
      encoding: 'utf8',
    })
  const [ref = ''] = store('for-each-ref', '--format=%(refname)', 'refs/docket/before-restore').split('\n')
  t.is(store('cat-file', 'blob', `${ref}:a.txt`), 'of the stage')
})

test('a repository around the checkout is not touched when the checkout has none any more', async (t) => {
  const outer = scratchWorkspace(t, { '.gitignore': '/inner\n' })
  outer.git('switch', '--quiet', '--create', 'outer')
  const workdir = join(outer.workdir, 'inner')
  mkdirSync(workdir)
  commitAll(workdir, { 'a.txt': 'a' })
  const base = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: workdir, encoding: 'utf8' }).trim()
  const checkout = await openCheckout(workdir, join(outer.folder, 'store.git'), base, [])
  const before = await checkout.snapshot('before')
  const [head, files] = [headOf(outer), readdirSync(join(outer.workdir, '.git'))]
  rmSync(join(workdir, '.git'), { recursive: true })
  rmSync(join(workdir, 'a.txt'))
  await t.throwsAsync(checkout.restore(before, 'before'), { name: 'GitFailed' })
  t.deepEqual([headOf(outer), readdirSync(join(outer.workdir, '.git'))], [head, files])
  t.is(readFileSync(join(workdir, 'a.txt'), 'utf8'), 'a', 'the files are put back all the same')
})
