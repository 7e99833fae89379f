/**
 * Text that a stage or a person outside wrote, for a prompt or a report: every line behind a bar, so that
 * no line of it can end the block or pass for an instruction, and no more than `cap` characters of it.
 */
export const quoted = (text: string, cap = 20_000): string => {
  const kept = text.length <= cap ? text : `${text.slice(0, cap)}\n[${text.length - cap} more characters]`
  return kept
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => `| ${line.replace(/\p{Cc}/gu, visible)}`.trimEnd())
    .join('\n')
}

const visible = (control: string): string =>
  control === '\t' ? control : `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`

/** Milliseconds as people read them: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export const duration = (ms: number): string => {
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const two = (n: number): string => String(n).padStart(2, '0')
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`
}

/** `1 round`, `2 rounds`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
