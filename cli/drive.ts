import * as E from 'fp-ts/lib/Either.js'
import type { EventStore } from '../events/store/event-store.js'
import { summarise } from '../projections/summary.js'
import { driveJob } from '../runner/drive-job.js'
import type { RunFailure } from '../runner/failure.js'
import type { Runner } from '../runner/runner.js'
import { printData, printJson } from './output.js'
import { renderJob } from './render/job.js'
import { exitOf, failedRun } from './run-exit.js'
import { sendHead } from './send-head.js'
import { startRunner } from './start-runner.js'
import { tellLive } from './tell-live.js'

export type DriveOptions = { readonly json?: true; readonly quiet?: true }

/**
 * Drives a job in the foreground: its story on stderr as it happens, its summary on stdout, and the exit
 * code that tells how it went. `begin` names the job, and may submit it first.
 */
export const drive = async (
  store: EventStore,
  { json, quiet }: DriveOptions,
  begin: (runner: Runner) => Promise<E.Either<RunFailure, string>>,
): Promise<void> => {
  const { runner, stoppedBy, release } = startRunner(store)
  try {
    const { position } = await store.head()
    const job = await begin(runner)
    if (E.isLeft(job)) throw failedRun(job.left)
    const story = quiet === true ? null : tellLive(store, job.right, position)
    const driven = await driveJob(runner, job.right).finally(() => story?.close())
    await sendHead(store, job.right)
    if (E.isLeft(driven)) throw failedRun(driven.left)
    if (json === true) printJson(summarise(driven.right))
    else printData(renderJob(driven.right))
    process.exitCode = exitOf(driven.right, stoppedBy())
  } finally {
    release()
  }
}
