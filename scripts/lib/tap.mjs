import picocolors from 'picocolors'

// By itself it would colour a file's lines too, where CI is set.
const pc = picocolors.createColors(process.stdout.isTTY === true && process.env.NO_COLOR === undefined)

/**
 * Reads the TAP that AVA prints, line by line, and makes of it what a person watches.
 *
 * AVA's own counts, at the end, are the ones that hold: they know of tests that never came to run. Where they are
 * missing, because AVA itself died, what was seen counts.
 */
export function readTap() {
  const seen = { passed: 0, failed: 0 }
  const final = {}
  const failures = []
  return {
    failures,
    /** What to show for a line, or undefined. */
    line(text) {
      const count = /^# (pass|fail) (\d+)$/.exec(text)
      if (count !== null) {
        final[count[1]] = Number(count[2])
        return undefined
      }
      if (text === '' || /^(TAP version|\d+\.\.\d+$|# tests \d+$)/.test(text)) return undefined
      const test = /^(not )?ok \d+ - (.*)$/.exec(text)
      if (test === null) return text
      const [, not, title] = test
      if (/ # (skip|todo)\b/i.test(title)) return `${pc.yellow('-')} ${title}`
      if (not === undefined) seen.passed += 1
      else {
        seen.failed += 1
        failures.push(title)
      }
      return not === undefined ? `${pc.green('✔')} ${title}` : `${pc.red('✖')} ${title}`
    },
    /** The counts, given AVA's exit code: whatever failed, at least one counts as failed. */
    counts(exitCode) {
      const failed = Math.max(final.fail ?? 0, seen.failed)
      return { passed: final.pass ?? seen.passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) }
    },
  }
}
