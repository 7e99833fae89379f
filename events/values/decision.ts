import * as t from 'io-ts'

/** A decision as an event holds it; the probe is the JSON that the writer wrote, good or bad. */
export const DecisionValue = t.strict(
  {
    id: t.string,
    question: t.string,
    spec: t.string,
    choice: t.string,
    probe: t.unknown,
    sources: t.readonlyArray(t.string),
  },
  'Decision',
)
