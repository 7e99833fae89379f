import test from 'ava'
import * as E from 'fp-ts/lib/Either.js'
import {
  claimWorkdir,
  evolveWorkdir,
  freeWorkdir,
  releaseWorkdir,
  type WorkdirState,
} from '../../commands/claim-workdir.js'
import type { DocketEvent } from '../../events/docket-event.js'

const claim = { job: 'b', workdir: '/w' }
const heldBy = (job: string): WorkdirState => ({ job })

const after = (state: WorkdirState, events: E.Either<unknown, ReadonlyArray<DocketEvent>>): WorkdirState =>
  E.isLeft(events) ? state : events.right.reduce(evolveWorkdir, state)

test('a free folder is taken, and once', (t) => {
  const taken = claimWorkdir(freeWorkdir, { ...claim, idle: null })
  t.deepEqual(after(freeWorkdir, taken), heldBy('b'))
  t.deepEqual(claimWorkdir(heldBy('b'), { ...claim, idle: null }), E.right([]))
})

test('a folder in which another job may be at work is refused', (t) => {
  const refused = claimWorkdir(heldBy('a'), { ...claim, idle: null })
  t.is(E.isLeft(refused) && refused.left.tag, 'workdir-taken')
})

test('a folder is taken over from the job that was found idle, and from no other', (t) => {
  t.deepEqual(after(heldBy('a'), claimWorkdir(heldBy('a'), { ...claim, idle: 'a' })), heldBy('b'))
  t.true(E.isLeft(claimWorkdir(heldBy('c'), { ...claim, idle: 'a' })))
})

test('a job gives back what it has, and nothing else', (t) => {
  t.deepEqual(after(heldBy('b'), releaseWorkdir(heldBy('b'), claim)), freeWorkdir)
  t.deepEqual(releaseWorkdir(heldBy('a'), claim), E.right([]))
})
