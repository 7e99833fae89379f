import type { Value } from '../../domain/agreement.js'
import type { Answers, EngineAnswer, Reported } from '../../domain/answer.js'
import type { Decision } from '../../domain/decision.js'
import type { Engine } from '../../domain/engine.js'

/** A decision whose probe expects one value for each field, all on node 2. */
export const decisionOf = (id: string, expected: Readonly<Record<string, Value>>): Decision => ({
  id,
  question: `what about ${id}?`,
  spec: 'https://drafts.csswg.org/css2/#the-height-property',
  choice: 'the first reading',
  probe: {
    html: '<!doctype html><div></div>',
    expect: Object.entries(expected).map(([field, value]) => ({ node: 2, field, value })),
  },
  sources: [],
})

/** What three browsers report, one value each for every expectation; `null` answers nothing. */
export const answersOf = (
  reported: Readonly<Record<Engine, ReadonlyArray<Reported> | null>>,
  more: Partial<Answers> = {},
): Answers => {
  const answer = (engine: Engine): EngineAnswer => ({
    version: '1.0',
    values: reported[engine] ?? [],
    nodes: 3,
    overflowed: false,
    error: reported[engine] === null ? 'it crashed' : null,
  })
  return {
    engines: { chromium: answer('chromium'), firefox: answer('firefox'), webkit: answer('webkit') },
    shapesDiffer: false,
    ...more,
  }
}

export const bytesOf = (content: unknown): Uint8Array =>
  new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))
