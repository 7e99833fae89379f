/**
 * Whether a path lies within a glob: `*` and `?` stay in one segment, `**` takes any number of them,
 * and a folder stands for all that is in it. Everything else is itself. In time bounded by the product
 * of both lengths, whatever the glob.
 */
export const globMatches = (glob: string, path: string): boolean => {
  const segments = path.split('/')
  const pattern = glob.replace(/\/+$/, '').split('/')
  return wildcard(pattern, segments, isAnyDepth, segmentMatches) || isInFolder(pattern, segments)
}

const isInFolder = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  wildcard([...pattern, '**'], segments, isAnyDepth, segmentMatches)

const isAnyDepth = (segment: string): boolean => segment === '**'

const segmentMatches = (pattern: string, segment: string): boolean =>
  wildcard(
    [...pattern],
    [...segment],
    (sign) => sign === '*',
    (sign, letter) => sign === '?' || sign === letter,
  )

/** Greedy matching with one step back: only the last star ever needs to take more. */
const wildcard = (
  pattern: ReadonlyArray<string>,
  items: ReadonlyArray<string>,
  isStar: (sign: string) => boolean,
  matches: (sign: string, item: string) => boolean,
): boolean => {
  let sign = 0
  let star = -1
  let taken = 0
  for (let item = 0; item < items.length; ) {
    const at = pattern[sign]
    const here = items[item]
    if (at !== undefined && isStar(at)) {
      star = sign
      taken = item
      sign += 1
    } else if (at !== undefined && here !== undefined && matches(at, here)) {
      sign += 1
      item += 1
    } else if (star >= 0) {
      taken += 1
      item = taken
      sign = star + 1
    } else {
      return false
    }
  }
  return pattern.slice(sign).every(isStar)
}
