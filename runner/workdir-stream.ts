import { createHash } from 'node:crypto'

/** The stream that says which job has a folder; a path may be longer than a stream's name. */
export const workdirStream = (workdir: string): string =>
  `workdir-${createHash('sha256').update(workdir).digest('hex').slice(0, 32)}`
