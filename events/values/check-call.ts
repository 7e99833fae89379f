import * as t from 'io-ts'

/** A check as it was called, with the version of the rule that judged. */
export const checkCall = { check: t.string, args: t.readonlyArray(t.string), rule: t.number }
