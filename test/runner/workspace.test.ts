import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { openCheckout } from '../../runner/workspace/workspace.js'
import { commitAll } from '../support/scratch-job.js'
import { listed, openScratch, scratchWorkspace } from '../support/scratch-workspace.js'

test('the tree of a committed checkout is the one that Git wrote', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a\n', 'deep/er/b.txt': '', 'crlf.txt': 'a\r\nb\r\n' })
  writeFileSync(join(one.workdir, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync('a.txt', join(one.workdir, 'link'))
  commitAll(one.workdir, { 'ünï code': 'x' })
  const { tree, commitTree, commit, leftOut } = await (await openScratch(one)).snapshot('one')
  t.is(tree, one.git('rev-parse', 'HEAD^{tree}'))
  t.is(commitTree, tree)
  t.is(commit, one.git('rev-parse', 'HEAD'))
  t.deepEqual(leftOut, [])
})

test('untracked files are kept with their exact bytes, whatever attributes and filters the checkout names', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a\n' })
  one.git('config', 'filter.spy.clean', `touch '${join(one.folder, 'filter-ran')}'; cat`)
  one.git('config', 'core.fsmonitor', `touch '${join(one.folder, 'monitor-ran')}'; echo`)
  one.git('config', 'core.hooksPath', one.folder)
  writeFileSync(join(one.workdir, '.gitattributes'), '* filter=spy text=auto eol=lf\n')
  writeFileSync(join(one.workdir, 'crlf.txt'), 'a\r\nb\r\n')
  writeFileSync(join(one.workdir, 'new\nline'), 'x')
  const { tree } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['.gitattributes', 'a.txt', 'crlf.txt', 'new\nline'])
  const bytes = execFileSync('git', ['cat-file', 'blob', `${tree}:crlf.txt`], {
    env: { ...process.env, GIT_DIR: join(one.folder, 'store.git') },
  })
  t.is(bytes.toString('latin1'), 'a\r\nb\r\n')
  t.false(existsSync(join(one.folder, 'filter-ran')))
  t.false(existsSync(join(one.folder, 'monitor-ran')))
})

test('what the base commit ignores is left out; what the writer ignores later is not', async (t) => {
  const one = scratchWorkspace(t, {
    '.gitignore': 'made/\n*.log\n!kept.log\n',
    'sub/.gitignore': 'local\n',
    'made/in.txt': '',
  })
  const checkout = await openScratch(one, ['cache/'])
  writeFileSync(join(one.workdir, '.gitignore'), '*\n')
  for (const name of ['hidden.txt', 'a.log', 'kept.log', 'sub/local', 'sub/other', 'made/out.txt']) {
    writeFileSync(join(one.workdir, name), name)
  }
  mkdirSync(join(one.workdir, 'cache'))
  writeFileSync(join(one.workdir, 'cache', 'x'), '')
  const { tree, leftOut } = await checkout.snapshot('one')
  t.deepEqual(listed(one, tree), ['.gitignore', 'hidden.txt', 'kept.log', 'sub/.gitignore', 'sub/other'])
  t.deepEqual(
    leftOut.map(({ path }) => path),
    ['a.log', 'cache/', 'made/', 'sub/local'],
  )
})

test('a file that the base commit tracks counts although a rule ignores it', async (t) => {
  const one = scratchWorkspace(t, { 'made/in.txt': 'x' })
  one.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '--allow-empty', '--message', 'x')
  writeFileSync(join(one.workdir, '.gitignore'), 'made/\n')
  commitAll(one.workdir, {})
  const { tree } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['.gitignore', 'made/in.txt'])
})

test('what no snapshot can hold is named with the reason', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  execFileSync('mkfifo', [join(one.workdir, 'pipe')])
  mkdirSync(join(one.workdir, 'nested'))
  execFileSync('git', ['init', '--quiet'], { cwd: join(one.workdir, 'nested') })
  const { tree, leftOut } = await (await openScratch(one)).snapshot('one')
  t.deepEqual(listed(one, tree), ['a.txt'])
  t.deepEqual(leftOut, [
    { path: 'nested/', why: 'a repository of its own' },
    { path: 'pipe', why: 'neither a file, a folder nor a link' },
  ])
})

test('a change is seen, also one that keeps size and time', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'one', 'b.txt': 'b' })
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  const { atime, mtime } = lstatSync(join(one.workdir, 'a.txt'))
  writeFileSync(join(one.workdir, 'a.txt'), 'two')
  utimesSync(join(one.workdir, 'a.txt'), atime, mtime)
  const after = await checkout.snapshot('after')
  t.deepEqual(await checkout.changes(before.tree, after.tree), ['a.txt'])
})

test('putting back restores files, links, modes and HEAD, and leaves what is ignored', async (t) => {
  const one = scratchWorkspace(t, { '.gitignore': 'ignored\n', 'a.txt': 'a', 'folder/b.txt': 'b' })
  writeFileSync(join(one.workdir, 'run.sh'), 'x', { mode: 0o755 })
  symlinkSync('a.txt', join(one.workdir, 'link'))
  const checkout = await openScratch(one)
  const before = await checkout.snapshot('before')
  rmSync(join(one.workdir, 'folder'), { recursive: true })
  rmSync(join(one.workdir, 'link'))
  chmodSync(join(one.workdir, 'run.sh'), 0o644)
  for (const name of ['a.txt', 'new.txt', 'ignored', 'folder', 'link'])
    writeFileSync(join(one.workdir, name), 'changed')
  commitAll(one.workdir, {})
  await checkout.restore(before, 'before')
  const after = await checkout.snapshot('after')
  t.deepEqual([after.tree, after.commit], [before.tree, before.commit])
  t.is(readlinkSync(join(one.workdir, 'link')), 'a.txt')
  t.is(readFileSync(join(one.workdir, 'ignored'), 'utf8'), 'changed')
  t.false(existsSync(join(one.workdir, 'new.txt')))
})

test('a linked worktree is a checkout like any other', async (t) => {
  const one = scratchWorkspace(t, { 'a.txt': 'a' })
  const linked = join(one.folder, 'linked')
  one.git('worktree', 'add', '--quiet', linked)
  const checkout = await openCheckout(linked, join(one.folder, 'store.git'), one.git('rev-parse', 'HEAD'), [])
  t.is((await checkout.snapshot('one')).tree, one.git('rev-parse', 'HEAD^{tree}'))
})
