import { join } from 'node:path'

/** Where a job keeps what is its own, below Docket's home and outside of every checkout. */
export const jobFolders = (home: string, job: string) => {
  const folder = join(home, 'jobs', job)
  return {
    folder,
    state: join(folder, 'state'),
    tools: join(folder, 'tools'),
    logs: join(folder, 'logs'),
    snapshots: join(folder, 'snapshots.git'),
  } as const
}

export type JobFolders = ReturnType<typeof jobFolders>
