import test from 'ava'
import { globMatches } from '../../domain/glob.js'

test('a star stays in its segment, two stars take any number of them', (t) => {
  t.true(globMatches('src/*.ts', 'src/a.ts'))
  t.false(globMatches('src/*.ts', 'src/a/b.ts'))
  t.true(globMatches('src/**/*.ts', 'src/a/b/c.ts'))
  t.true(globMatches('src/**/*.ts', 'src/c.ts'))
  t.true(globMatches('**', 'a/b'))
  t.true(globMatches('?.ts', 'a.ts'))
  t.false(globMatches('?.ts', '.ts'))
})

test('a folder stands for what is in it, and for nothing beside it', (t) => {
  t.true(globMatches('src', 'src/a/b.ts'))
  t.true(globMatches('src/', 'src/a.ts'))
  t.false(globMatches('src', 'src2/a.ts'))
  t.false(globMatches('src', 'lib/src/a.ts'))
})

test('signs of regular expressions are plain text', (t) => {
  t.true(globMatches('a+(b).[c]', 'a+(b).[c]'))
  t.false(globMatches('a.c', 'abc'))
})

test('a glob of many stars is quick to fail', (t) => {
  t.false(globMatches(`${'*a'.repeat(200)}b`, 'a'.repeat(2000)))
  t.false(globMatches(`${'**/a/'.repeat(100)}b`, 'a/'.repeat(1000)))
})
