import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileContent } from '../domain/checks/check.js'

/** The most bytes that a file from a stage may have. */
const largestStageFile = 4 * 1024 * 1024

/**
 * Reads a file that a stage may have made into anything: it is opened without following a link and
 * without waiting for a writer, has to be a regular file, and is read once and never past the cap.
 */
export const readStageFile = async (path: string, most = largestStageFile): Promise<FileContent> => {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause: NodeJS.ErrnoException) =>
    cause.code === 'ENOENT' ? ('missing' as const) : cause,
  )
  if (file === 'missing') return { tag: 'missing' }
  if (file instanceof Error) {
    return { tag: 'unreadable', why: file.code === 'ELOOP' ? 'it is a link' : file.message }
  }
  try {
    if (!(await file.stat()).isFile()) return { tag: 'unreadable', why: 'it is not a regular file' }
    const bytes = Buffer.alloc(most + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
      length += bytesRead
      if (bytesRead === 0 || length > most) break
    }
    return length > most
      ? { tag: 'unreadable', why: `it has more than ${most} bytes` }
      : { tag: 'bytes', bytes: Uint8Array.from(bytes.subarray(0, length)) }
  } finally {
    await file.close()
  }
}
