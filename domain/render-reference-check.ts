import type { ReferenceCheck } from './reference-check.js'

/**
 * The text of `reference-check.json`, byte for byte the same for the same content: JSON with two-space
 * indents, the keys in the order of the format, and a final newline.
 */
export const renderReferenceCheck = ({ format, decisions }: ReferenceCheck): string => {
  const ordered = {
    format,
    decisions: decisions.map(({ id, outcome, detail, fields }) => ({
      id,
      outcome,
      detail,
      fields: fields.map(({ node, field, expected, reported, reference, rule }) => ({
        node,
        field,
        expected,
        reported: { chromium: reported.chromium, firefox: reported.firefox, webkit: reported.webkit },
        reference,
        rule,
      })),
    })),
  }
  return `${JSON.stringify(ordered, null, 2)}\n`
}
