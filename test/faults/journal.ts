import type { Acknowledged, Said, Tried } from './said.js'

/** All that writers said of their commands. */
export type Journal = {
  readonly tried: Map<string, Tried>
  /** Every time that a command was acknowledged: those of one command have to agree. */
  readonly acknowledged: Map<string, ReadonlyArray<Acknowledged>>
  readonly refused: Map<string, string>
}

export const emptyJournal = (): Journal => ({ tried: new Map(), acknowledged: new Map(), refused: new Map() })

export const enter = (journal: Journal, said: Said): void => {
  switch (said.tag) {
    case 'tried':
      journal.tried.set(said.tried.commandId, said.tried)
      break
    case 'acknowledged': {
      const { acknowledged } = said
      const { commandId } = acknowledged
      const before = journal.acknowledged.get(commandId) ?? []
      journal.acknowledged.set(commandId, [...before, acknowledged])
      break
    }
    case 'refused':
      journal.refused.set(said.commandId, said.why)
      break
    case 'unknown':
      break
  }
}

/** The commands of which nobody learned what became. */
export const unresolved = ({ tried, acknowledged, refused }: Journal): ReadonlyArray<Tried> =>
  [...tried.values()].filter(({ commandId }) => !acknowledged.has(commandId) && !refused.has(commandId))
