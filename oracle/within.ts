/** What the work gives, or `undefined` when it takes longer or fails: for endings that must not hang. */
export const within = async <A>(milliseconds: number, work: Promise<A>): Promise<A | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([work, tooLate])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
