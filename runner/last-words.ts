import { open } from 'node:fs/promises'

/** The end of a file as text that can be shown: invalid UTF-8 and control characters replaced. */
export const lastWords = async (path: string, most = 4000): Promise<string> => {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const length = Math.min(size, most)
    const bytes = Buffer.alloc(length)
    await file.read(bytes, 0, length, size - length)
    const text = bytes.toString('utf8').replace(/(?![\n\t])\p{Cc}/gu, '\ufffd')
    return size > most ? `[...]\n${text.slice(text.indexOf('\n') + 1)}` : text
  } finally {
    await file.close()
  }
}
