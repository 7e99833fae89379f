import { copyFile, readFile, stat, statfs, truncate } from 'node:fs/promises'

const kept = 8 << 20

/** Keeps the log of the server and its supervisor from growing for ever; the part before is kept once. */
export const trimLog = async (log: string): Promise<void> => {
  const { size } = await stat(log)
  if (size < kept) return
  // Whoever writes has it open for appending, so it is emptied and not replaced.
  await copyFile(log, `${log}.1`)
  await truncate(log, 0)
}

/** The end of the log, from a byte on, a line each. */
export const logEnd = async (log: string, from = 0): Promise<ReadonlyArray<string>> => {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0))
  const text = bytes.subarray(from <= bytes.length ? from : 0).toString('utf8')
  return text.trimEnd().split('\n').slice(-8)
}

/** What to do about what the log says; a full disk may have kept it from saying that. */
export const adviceIn = async (folder: string, lines: ReadonlyArray<string>): Promise<string | null> => {
  const advice = adviceOn(lines)
  if (advice !== null) return advice
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bsize > 0 && bavail * bsize < needed ? fullDisk : null
}

/** A segment of PostgreSQL's own log, which it cannot go on without. */
const needed = 16 << 20

const fullDisk = 'the disk is full: free some space and try again'

/** What to do about it, where a text says something that is known. */
export const adviceOn = (lines: ReadonlyArray<string>): string | null => {
  const text = lines.join('\n')
  return known.find(({ says }) => says.test(text))?.type ?? null
}

const known: ReadonlyArray<{ readonly says: RegExp; readonly type: string }> = [
  { says: /No space left on device|Check free disk space|ENOSPC/, type: fullDisk },
  { says: /Disk quota exceeded|EDQUOT/, type: 'your disk quota is used up: free some space and try again' },
  {
    says: /Read-only file system|EROFS/,
    type: 'the file system is read-only: set DOCKET_HOME to another one',
  },
  {
    says: /Permission denied|EACCES|EPERM/,
    type: "Docket's home is not all yours: give it back to your user (chown -R), or set DOCKET_HOME",
  },
  {
    says: /error while loading shared libraries|cannot execute/,
    type: "PostgreSQL's programs do not run on this system: set DATABASE_URL to a server of yours",
  },
  {
    says: /could not create shared memory|could not create semaphores|Cannot allocate memory/,
    type: 'the system lends too little shared memory: see its limits, or set DATABASE_URL',
  },
]
