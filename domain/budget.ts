import type { Manifest } from './manifest.js'

/** What a job has used up of its limits; each part is the sum of the events that spent it. */
export type Spent = {
  readonly failedRounds: number
  readonly writerRelaunches: number
  readonly faults: number
  readonly runningMs: number
}

/** What a person has added to the limits. */
export type Granted = { readonly rounds: number; readonly seconds: number }

export const nothingSpent: Spent = { failedRounds: 0, writerRelaunches: 0, faults: 0, runningMs: 0 }
export const nothingGranted: Granted = { rounds: 0, seconds: 0 }

type Limits = Manifest['limits']

/**
 * Whether another round may follow the failed ones. With `failed_rounds: 2` rounds 1 and 2 may fail
 * and be followed by another, and a failing round 3 waits for a person; with 0 the first failure does.
 */
export const mayFollow = (limits: Limits, granted: Granted, failedRounds: number): boolean =>
  failedRounds <= limits.failed_rounds + granted.rounds

/** Whether a writer that died may be started again, `relaunches` having been spent before. */
export const mayRelaunch = (limits: Limits, relaunches: number): boolean =>
  relaunches < limits.writer_relaunches

/** Whether a stage may be run again after a fault, `faults` counting that one too. */
export const mayRerun = (limits: Limits, faults: number): boolean => faults <= limits.fault_reruns

/** Running time that is left, in milliseconds; never below zero. */
export const remainingMs = (limits: Limits, granted: Granted, runningMs: number): number =>
  Math.max(0, (limits.wall_clock_seconds + granted.seconds) * 1000 - runningMs)

/** What is spent once `more` has been spent too. */
export const spend = (spent: Spent, more: Partial<Spent>): Spent => ({
  failedRounds: spent.failedRounds + (more.failedRounds ?? 0),
  writerRelaunches: spent.writerRelaunches + (more.writerRelaunches ?? 0),
  faults: spent.faults + (more.faults ?? 0),
  runningMs: spent.runningMs + (more.runningMs ?? 0),
})
