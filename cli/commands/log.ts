import type { Command } from 'commander'
import type { Recorded } from '../../events/recorded.js'
import type { EventStore } from '../../events/store/event-store.js'
import { badUsage } from '../exit.js'
import { loadJob } from '../load-job.js'
import { withLedger } from '../open-ledger.js'
import { colour, printData, printJson } from '../output.js'
import { renderEvent } from '../render/story.js'

type Options = {
  readonly json?: true
  readonly jsonl?: true
  readonly at?: string
  readonly stage?: string
  readonly round?: string
  readonly stderr?: true
}

export const log = (program: Command): void => {
  program
    .command('log')
    .summary('tell the story of a job, event by event, or print what a stage printed')
    .argument('<job>', 'its id, the start of one, or @last')
    .option('--at <when>', 'up to a position, v<version>, time, "round 2", "stage test" or -1')
    .option('--json', 'one JSON document: the list of its events')
    .option('--jsonl', 'one event a line, as JSON')
    .option('--stage <name>', 'the kept standard output of its newest run of this stage, byte for byte')
    .option('--round <number>', 'with --stage: the run in this round')
    .option('--stderr', 'with --stage: its standard error')
    .action((job: string, options: Options) =>
      withLedger(async (store) => {
        const { events } = await loadJob(store, job, options.at)
        if (options.stage !== undefined) await printOutput(store, events, options.stage, options)
        else if (options.json === true) printJson(events)
        else if (options.jsonl === true) for (const event of events) printData(JSON.stringify(event))
        else printData(events.map((event) => renderEvent(event, colour.dim)).join('\n'))
      }),
    )
}

const printOutput = async (
  store: EventStore,
  events: ReadonlyArray<Recorded>,
  stage: string,
  { round, stderr }: Options,
): Promise<void> => {
  const ended = events.findLast(
    (event) =>
      event.type === 'StageEnded' &&
      event.data.stage === stage &&
      (round === undefined || String(event.data.round) === round),
  )
  if (ended?.type !== 'StageEnded') throw badUsage(`no run of stage ${stage} has ended there`)
  const { sha256 } = stderr === true ? ended.data.stderr : ended.data.stdout
  const bytes = await store.getArtifact(sha256)
  if (bytes === null) throw new Error(`the ledger does not hold the bytes ${sha256} that it names`)
  process.stdout.write(bytes)
}
