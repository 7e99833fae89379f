/** Calls back once when the process that started this one is gone, even if its end of our input is not. */
export const whenParentDies = (run: () => void): void => {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    run()
  }, 500)
  watch.unref()
}
