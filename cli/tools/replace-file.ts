import { open, rename, rm } from 'node:fs/promises'

/** Writes a file beside its place and renames it in, so that nobody ever reads half of it. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.${process.pid}.tmp`
  await rm(temporary, { force: true })
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}
