import type { DumpNode } from '../dump.js'

/** Where a node stands, as a person finds it: `HTML > BODY > DIV:nth-child(2)`. */
export const nodePath = (nodes: ReadonlyArray<DumpNode>, index: number): string => {
  const node = nodes[index]
  if (node === undefined) return ''
  if (node.parent < 0) return node.tag
  const place = nodes.filter(({ parent, index: other }) => parent === node.parent && other <= index).length
  const only = !nodes.some(({ parent, index: other }) => parent === node.parent && other !== index)
  return `${nodePath(nodes, node.parent)} > ${node.tag}${only ? '' : `:nth-child(${place})`}`
}
