import * as t from 'io-ts'

/** Which run of which stage an event speaks of; attempts count from 1 in each round. */
export const attempt = { round: t.number, stage: t.string, attempt: t.number }
