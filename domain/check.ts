import type { Check } from './checks/check.js'
import { reference } from './checks/reference.js'
import { touches } from './checks/touches.js'

/** The checks that a manifest may name, each in a file of its own. */
export const checks: ReadonlyArray<Check> = [reference, touches]

export const findCheck = (name: string): Check | null => checks.find((check) => check.name === name) ?? null
