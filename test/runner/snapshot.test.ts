import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { openCheckout } from '../../runner/workspace/workspace.js'
import { commitAll } from '../support/scratch-job.js'
import { listed, openScratch, scratchWorkspace } from '../support/scratch-workspace.js'

test('a name that Git keeps nothing under is left out by name, and the rest is kept', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  writeFileSync(join(one.workdir, '.GIT'), 'x')
  mkdirSync(join(one.workdir, 'sub', '.Git'), { recursive: true })
  writeFileSync(join(one.workdir, 'sub', '.Git', 'hidden'), 'x')
  writeFileSync(join(one.workdir, 'sub', 'b.txt'), 'b')
  const { tree, leftOut } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['a.txt', 'sub/b.txt'])
  t.deepEqual(leftOut, [
    { path: '.GIT', why: 'Git keeps nothing under this name' },
    { path: 'sub/.Git', why: 'Git keeps nothing under this name' },
  ])
})

test('names that only other systems could not hold are kept', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const names = ['.g\u200cit', 'GIT~1', 'back\\slash', 'con', 'tab\there', ' ', '"quoted"']
  for (const name of names) writeFileSync(join(one.workdir, name), name)
  const { tree, leftOut } = await (await openScratch(one)).snapshot('one')
  t.deepEqual([...listed(one, tree)].sort(), ['a.txt', ...names].sort())
  t.deepEqual(leftOut, [])
})

test('a link named .gitmodules, which Git refuses, is left out by name', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  mkdirSync(join(one.workdir, 'sub'))
  for (const name of ['.gitmodules', 'sub/.GitModules']) symlinkSync('a.txt', join(one.workdir, name))
  writeFileSync(join(one.workdir, 'sub', '.gitmodules'), '')
  const { tree, leftOut } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['a.txt', 'sub/.gitmodules'])
  t.deepEqual(leftOut, [
    { path: '.gitmodules', why: 'Git keeps no link under this name' },
    { path: 'sub/.GitModules', why: 'Git keeps no link under this name' },
  ])
})

test('a name that is not UTF-8 is told of, and the rest of its folder is kept', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  mkdirSync(join(one.workdir, 'sub'))
  writeFileSync(join(one.workdir, 'sub', 'b.txt'), 'b')
  writeFileSync(Buffer.concat([Buffer.from(join(one.workdir, 'sub/')), Buffer.from([0xff])]), 'x')
  const { tree, leftOut } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['a.txt', 'sub/b.txt'])
  t.deepEqual(leftOut, [{ path: 'sub/', why: 'a name in it is not UTF-8' }])
})

test('a path that is too long to be looked at is told of', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const name = 'd'.repeat(250)
  t.teardown(() => execFileSync('rm', ['-rf', join(one.workdir, name)]))
  execFileSync('sh', ['-c', `for i in $(seq 20); do mkdir ${name} && cd -P ${name}; done; echo x > deep`], {
    cwd: one.workdir,
  })
  const { tree, leftOut } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['a.txt'])
  t.is(leftOut.length, 1)
  t.regex(leftOut[0]?.path ?? '', /^d{250}\/d{250}\//)
  t.regex(leftOut[0]?.why ?? '', /ENAMETOOLONG/)
})

test.serial('what cannot be read is left out by name, and the rest is kept', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  for (const name of ['closed', 'unlisted', 'unsearched']) mkdirSync(join(one.workdir, name))
  for (const name of ['secret', 'unlisted/x', 'unsearched/x', 'z.txt']) {
    writeFileSync(join(one.workdir, name), name)
  }
  chmodSync(join(one.workdir, 'secret'), 0o000)
  chmodSync(join(one.workdir, 'unlisted'), 0o300)
  chmodSync(join(one.workdir, 'unsearched'), 0o600)
  const checkout = await openScratch(one)
  const { tree, leftOut } = await asNobody(one.folder, () => checkout.snapshot('one'))
  t.deepEqual(listed(one, tree), ['a.txt', 'z.txt'])
  t.deepEqual(
    leftOut.map(({ path }) => path),
    ['unlisted/', 'unsearched/x', 'secret'],
  )
  t.regex(leftOut[0]?.why ?? '', /EACCES/)
  t.regex(leftOut[1]?.why ?? '', /EACCES/)
  t.is(leftOut[2]?.why, 'it cannot be read')
})

/** Root may read everything, so where the tests run as root, the folder and this process are nobody's meanwhile. */
const asNobody = async <A>(folder: string, act: () => Promise<A>): Promise<A> => {
  if (process.geteuid?.() !== 0) return act()
  execFileSync('chown', ['-R', '-h', `${nobody}:${nobody}`, folder])
  process.seteuid?.(nobody)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

const nobody = 65534

test('a HEAD without a commit leaves both fields empty, and the files are there all the same', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  one.git('switch', '--quiet', '--orphan', 'empty')
  writeFileSync(join(one.workdir, 'b.txt'), 'b')
  const { tree, commit, commitTree } = await checkout.snapshot('one')
  t.deepEqual([commit, commitTree], ['', ''])
  t.deepEqual(listed(one, tree), ['b.txt'])
})

test('a checkout without a repository is no part of the one around it', async (t) => {
  const outer = scratchWorkspace(t, { '.gitignore': '/inner\n' })
  const workdir = join(outer.workdir, 'inner')
  mkdirSync(workdir)
  commitAll(workdir, { 'a.txt': 'a' })
  const base = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: workdir, encoding: 'utf8' }).trim()
  const checkout = await openCheckout(workdir, join(outer.folder, 'store.git'), base, [])
  rmSync(join(workdir, '.git'), { recursive: true })
  const { tree, commit, commitTree } = await checkout.snapshot('one')
  t.deepEqual([commit, commitTree], ['', ''])
  t.deepEqual(listed(outer, tree), ['a.txt'])
})

test('a repository of SHA-256 objects is kept in a store of its kind', async (t) => {
  const one = scratchWorkspace(t, {})
  rmSync(join(one.workdir, '.git'), { recursive: true })
  one.git('init', '--quiet', '--object-format=sha256', '--initial-branch=main')
  commitAll(one.workdir, { 'a.txt': 'a', 'sub/b.txt': 'b' })
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  t.regex(before.tree, /^[0-9a-f]{64}$/)
  t.is(before.tree, one.git('rev-parse', 'HEAD^{tree}'))
  t.is(before.commit, one.git('rev-parse', 'HEAD'))
  commitAll(one.workdir, { 'sub/b.txt': 'changed' })
  const after = await checkout.snapshot('after')
  t.deepEqual(await checkout.changes(before.tree, after.tree), ['sub/b.txt'])
  t.deepEqual(await checkout.committed(), ['sub/b.txt'])
  await checkout.restore(before, 'before')
  t.deepEqual(await checkout.snapshot('again'), before)
})

test('a commit that the checkout lacks is fetched from nowhere', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  const remote = join(one.folder, 'remote.git')
  execFileSync('git', ['clone', '--quiet', '--bare', one.workdir, remote])
  execFileSync('git', ['config', 'uploadpack.allowFilter', 'true'], { cwd: remote })
  const fetched = join(one.folder, 'fetched')
  one.git('config', 'remote.origin.url', remote)
  one.git('config', 'remote.origin.promisor', 'true')
  one.git('config', 'remote.origin.uploadpack', `touch '${fetched}'; git-upload-pack`)
  one.git('config', 'extensions.partialClone', 'origin')
  one.git('config', 'protocol.allow', 'always')
  const commit = one.git('rev-parse', 'HEAD')
  rmSync(join(one.workdir, '.git', 'objects', commit.slice(0, 2), commit.slice(2)))
  const snapshot = await checkout.snapshot('one')
  t.deepEqual([snapshot.commit, snapshot.commitTree], ['', ''])
  t.deepEqual(listed(one, snapshot.tree), ['a.txt'])
  t.false(existsSync(fetched))
  one.git('cat-file', '-e', commit)
  t.true(existsSync(fetched), 'Git by itself would have fetched it')
})

test('a snapshot of one moment leaves nothing behind in the checkout', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const checkout = await openScratch(one)
  writeFileSync(join(one.workdir, 'new.txt'), 'new')
  const kept = () => [
    readdirSync(one.workdir),
    readdirSync(join(one.workdir, '.git'), { recursive: true }).sort(),
  ]
  const before = kept()
  await checkout.snapshot('one')
  t.deepEqual(kept(), before)
  t.is(one.git('status', '--porcelain'), '?? new.txt')
})
