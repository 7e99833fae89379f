import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { countVote, emptyTally } from '../../domain/comparison/tally.js'
import { type DocumentVote, type Dumps, voteOn } from '../../domain/comparison/vote.js'
import type { Dump } from '../../domain/dump.js'
import type { Engine } from '../../domain/engine.js'
import { badUsage, exits } from '../exit.js'
import { printData, printJson } from '../output.js'
import { answerIn, readAnswers } from '../read-answers.js'
import { readDump } from '../read-dump.js'
import { type PageVote, renderTally, renderVote } from '../render/vote.js'

type Options = { readonly json?: true; readonly answers?: true }

export const vote = (program: Command): void => {
  program
    .command('vote')
    .summary('what three browsers say of whole pages: the reference, the outlier, or that they are split')
    .argument('<files...>', 'three dumps of one page, or one answer of the oracle that holds them')
    .option('--answers', 'files with answers of the oracle, one a line: how far they agree, as a table')
    .option('--json', 'one JSON document')
    .action(async (files: ReadonlyArray<string>, { json, answers }: Options) => {
      if (answers === true) {
        const { tally, pages } = await voteOnAll(files)
        if (json === true) printJson({ ...tally, notUnanimous: pages.map(briefly) })
        else printData(renderTally(tally, pages))
        return
      }
      const dumps = await dumpsOf(files)
      const vote = voteOn(dumps)
      if (json === true) printJson(vote)
      else printData(renderVote(vote, dumps))
      process.exitCode = exitOf(vote)
    })
}

/** Counts every page, and keeps those on which not all three agree. */
const voteOnAll = async (files: ReadonlyArray<string>) => {
  const tally = emptyTally()
  const pages: Array<PageVote> = []
  let seen = 0
  for (const file of files) {
    for await (const { id, dumps } of readAnswers(file)) {
      const vote = voteOn(dumps)
      countVote(tally, vote)
      seen += 1
      if (vote.verdict !== 'unanimous') pages.push({ id, vote })
    }
  }
  if (seen === 0) throw badUsage(`there is no answer of an oracle in ${files.join(', ')}`)
  return { tally, pages }
}

/** The deltas of a whole corpus are for whoever asks for one page. */
const briefly = ({ id, vote }: PageVote) =>
  'pairs' in vote
    ? { id, verdict: vote.verdict, reference: vote.reference, outlier: vote.outlier }
    : { id, ...vote }

const exitOf = ({ verdict }: DocumentVote): number => {
  switch (verdict) {
    case 'unanimous':
    case 'majority':
      return exits.done
    case 'split':
      return exits.no
    case 'discarded':
    case 'unchecked':
      return exits.refused
  }
}

const dumpsOf = async (files: ReadonlyArray<string>): Promise<Dumps> => {
  const [only, ...more] = files
  if (only !== undefined && more.length === 0) {
    const text = await readFile(only, 'utf8').catch((cause: Error) => {
      throw badUsage(`${only} cannot be read: ${cause.message}`)
    })
    return answerIn(text, only).dumps
  }
  const dumps = await Promise.all(files.map(readDump))
  const of = (engine: Engine): Dump | null => dumps.find((dump) => dump.engine === engine) ?? null
  const found = { chromium: of('chromium'), firefox: of('firefox'), webkit: of('webkit') }
  if (dumps.length !== 3 || Object.values(found).includes(null)) {
    const given = dumps.map(({ engine }) => engine).join(', ')
    throw badUsage(`a vote takes one dump of each of three engines, and these are of ${given}`)
  }
  return found
}
