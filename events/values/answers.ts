import * as t from 'io-ts'

const EngineAnswerValue = t.strict(
  {
    version: t.string,
    values: t.readonlyArray(t.union([t.number, t.string, t.null])),
    nodes: t.number,
    overflowed: t.boolean,
    error: t.union([t.string, t.null]),
  },
  'EngineAnswer',
)

/** What the three browsers said of one probe, as an event holds it. */
export const AnswersValue = t.strict(
  {
    engines: t.strict({
      chromium: EngineAnswerValue,
      firefox: EngineAnswerValue,
      webkit: EngineAnswerValue,
    }),
    shapesDiffer: t.boolean,
  },
  'Answers',
)
