import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { BadExport } from './bad-export.js'
import { type EndLine, type ExportLine, parseLine } from './format.js'
import { linesOf } from './lines-of.js'

/**
 * The lines of an export in order, with their number and text. What is no line, lines out of order, and an end that
 * does not come or counts or hashes something else throw `BadExport`: a copy that was cut short is never taken
 * for a whole one.
 */
export async function* readExport(
  input: Readable,
): AsyncGenerator<{ readonly line: ExportLine; readonly text: string }> {
  const hash = createHash('sha256')
  let number = 0
  let end: EndLine | null = null
  let events = 0
  const artifacts = new Set<string>()
  for await (const text of textLines(input)) {
    number += 1
    const wrong = (why: string): BadExport => new BadExport(`line ${number}: ${why}`)
    if (end !== null) throw wrong('there is something after the end')
    const parsed = parseLine(text)
    if (E.isLeft(parsed)) throw wrong(parsed.left)
    const line = parsed.right
    if ((line.line === 'header') !== (number === 1)) {
      throw wrong(number === 1 ? 'an export begins with its header' : 'there is another header')
    }
    if (line.line === 'event') events += 1
    if (line.line === 'artifact') artifacts.add(line.sha256)
    if (line.line === 'end') {
      end = line
      if (line.sha256 !== hash.digest('hex'))
        throw wrong('the lines before it are not those that were hashed')
      if (line.events !== events || line.artifacts !== artifacts.size) {
        throw wrong(
          `it counts ${line.events} events and ${line.artifacts} artifacts, there are ${events} and ${artifacts.size}`,
        )
      }
    } else hash.update(`${text}\n`)
    yield { line, text }
  }
  if (end === null) {
    throw new BadExport(
      number === 0 ? 'it is empty' : `it ends at line ${number}, before its end: it is not whole`,
    )
  }
}

async function* textLines(input: Readable): AsyncGenerator<string> {
  try {
    yield* linesOf(input)
  } catch (cause) {
    if (cause instanceof TypeError) throw new BadExport('it is not in UTF-8', { cause })
    throw cause
  }
}
