/** Parts of manifests as a person writes them. */
export const limits = { wall_clock_seconds: 60, writer_relaunches: 1, failed_rounds: 2 }

export const writer = (...command: ReadonlyArray<string>) => ({ name: 'write', kind: 'writer', command })

export const script = (name: string, ...command: ReadonlyArray<string>) => ({
  name,
  kind: 'script',
  on_fail: 'rework',
  command,
})

export const reference = (...command: ReadonlyArray<string>) => ({
  ...script('reference', ...(command.length === 0 ? ['{tools}/reference-check.sh'] : command)),
  checks: [{ check: 'reference', args: ['{state}/reference-check.json', '{state}/decisions.json'] }],
})

export const review = (...command: ReadonlyArray<string>) => ({ name: 'review', kind: 'review', command })

export const passing = review('{tools}/verdict', 'pass', '--notes', 'well done')

export const manifestOf = (...stages: ReadonlyArray<object>) => ({ limits, rework_from: 'write', stages })
