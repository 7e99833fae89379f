import * as t from 'io-ts'
import { defineEvent } from './define-event.js'
import { AnswersValue } from './values/answers.js'
import { Artifact } from './values/artifact.js'
import { attempt } from './values/attempt.js'

/** What the three browsers said of the probe, cut down to its expectations; `response` holds their whole dumps. */
export const ProbeAnswered = defineEvent('ProbeAnswered', 1, {
  ...attempt,
  id: t.string,
  answers: AnswersValue,
  response: Artifact,
})
