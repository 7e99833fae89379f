import test from 'ava'
import fc from 'fast-check'
import type { DocketEvent, DocketEventType } from '../../events/docket-event.js'
import { JobSubmitted } from '../../events/job-submitted.js'
import type { Recorded } from '../../events/recorded.js'
import { canonicalBytes } from '../../events/store/canonical.js'
import { evolveView, foldJob } from '../../projections/job/fold.js'
import type { JobView } from '../../projections/job/view.js'
import { referenceFile } from '../../projections/reference-file.js'
import { reviewPrompt } from '../../projections/review-prompt.js'
import { showDocument } from '../../projections/show-document.js'
import { tell } from '../../projections/story.js'
import { evolveSummary, type JobSummary, summarise } from '../../projections/summary.js'
import { why } from '../../projections/why.js'
import { writerBrief } from '../../projections/writer-brief.js'
import { everyEvent } from '../support/every-event.js'
import { submission } from '../support/job-events.js'
import { recorded } from '../support/story.js'

/** What begins a stream: one of a job that runs here, or of one that was imported. */
const opening: ReadonlySet<DocketEventType> = new Set<DocketEventType>(['JobSubmitted', 'JobImported'])
const ending: ReadonlyArray<DocketEventType> = ['JobAccepted', 'JobStopped']
const [during, last] = [false, true].map((ends) =>
  everyEvent.filter(({ type }) => !opening.has(type) && ending.includes(type) === ends),
)

/** Rounds are numbered one after the other. */
const inTurn = (events: ReadonlyArray<DocketEvent>): ReadonlyArray<DocketEvent> => {
  let round = 0
  return events.map((event) =>
    event.type === 'RoundStarted' ? { ...event, data: { ...event.data, round: ++round } } : event,
  )
}

/** A job whose events come in any order at all, the first and the last one apart. */
const jobs: fc.Arbitrary<ReadonlyArray<Recorded>> = fc
  .tuple(
    fc.array(fc.constantFrom(...(during ?? [])), { maxLength: 60 }),
    fc.option(fc.constantFrom(...(last ?? [])), { nil: undefined }),
  )
  .map(([events, end]) =>
    recorded([JobSubmitted.of(submission()), ...inTurn(events), ...(end === undefined ? [] : [end])]),
  )

const viewOf = (events: ReadonlyArray<Recorded>): JobView => {
  const view = foldJob(events)
  if (view === null) throw new Error('no job')
  return view
}

test('the row of a list is the summary of the whole job, after every event of any job', (t) => {
  fc.assert(
    fc.property(jobs, (events) => {
      let summary: JobSummary | null = null
      let view: JobView | null = null
      for (const event of events) {
        summary = evolveSummary(summary, event)
        view = evolveView(view, event)
        if (view !== null) t.deepEqual(summary, summarise(view), event.type)
      }
    }),
  )
  t.pass()
})

test('a view that was kept and read back folds on as the original, wherever any job is split', (t) => {
  fc.assert(
    fc.property(jobs, fc.nat(), (events, place) => {
      const split = 1 + (place % events.length)
      const kept = canonicalBytes(viewOf(events.slice(0, split))).toString('utf8')
      const folded = events.slice(split).reduce<JobView | null>(evolveView, JSON.parse(kept) as JobView)
      return canonicalBytes(folded).equals(canonicalBytes(viewOf(events)))
    }),
  )
  t.pass()
})

test('whatever a job went through, everything that is read of it can be told, and the same twice', (t) => {
  fc.assert(
    fc.property(jobs, (events) => {
      const view = viewOf(events)
      const told = [writerBrief, reviewPrompt, referenceFile, why, showDocument].map((of) =>
        canonicalBytes({ told: of(view) }).toString('utf8'),
      )
      const before = canonicalBytes(events)
      const again = [writerBrief, reviewPrompt, referenceFile, why, showDocument].map((of) =>
        canonicalBytes({ told: of(viewOf(events)) }).toString('utf8'),
      )
      return before.equals(canonicalBytes(events)) && told.every((text, index) => text === again[index])
    }),
  )
  t.pass()
})

test('a decision with the name of what every object has is told like any other', (t) => {
  const events = everyEvent.filter(
    ({ type, data }) =>
      ['JobSubmitted', 'RoundStarted', 'ReferencesAsked'].includes(type) ||
      (type === 'DecisionRecorded' && 'decision' in data && data.decision.id === 'constructor'),
  )
  const order = ['JobSubmitted', 'RoundStarted', 'DecisionRecorded', 'ReferencesAsked']
  const inOrder = [...events].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
  const [told] = why(viewOf(recorded(inOrder))).decisions
  t.is(told?.id, 'constructor')
  t.is(told?.browsers, null)
  t.deepEqual(told?.evidence.answered, null)
})

test('events without a job make no view and no row', (t) => {
  for (const event of recorded(everyEvent.filter(({ type }) => !opening.has(type)))) {
    t.is(evolveView(null, event), null)
    t.is(evolveSummary(null, event), null)
  }
})

/** The same value with every text in it, made hostile. */
const withHostileText = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}\nsecond\r\u2028third\u0085`
  if (Array.isArray(value)) return value.map(withHostileText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withHostileText(item)]))
}

test('every type of event is told in one line, whatever text it holds', (t) => {
  const hostile = everyEvent.map((event) => ({ ...event, data: withHostileText(event.data) }) as DocketEvent)
  for (const event of recorded([...everyEvent, ...hostile])) {
    t.regex(tell(event), /^[^\r\n\u0085\u2028\u2029]{5,2000}$/, event.type)
    t.notRegex(tell(event), /undefined|\[object|NaN/, event.type)
  }
})
