/**
 * Whether text can be kept as it is: a NUL and half of a surrogate pair cannot be stored, or come
 * back as something else.
 */
export const isStorable = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text)

/**
 * Text from outside on one line, with what cannot be stored or shown replaced, and cut to a number
 * of UTF-16 units.
 */
export const oneLine = (text: string, most: number): string => {
  const line = text
    .slice(0, most * 4)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  if (line.length <= most) return line
  return `${line.slice(0, most - 3).replace(/\p{Surrogate}$/u, '')}...`
}
