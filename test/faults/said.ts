import type { AppendRequest } from '../../events/envelope.js'

/** A command that a writer is about to send. */
export type Tried = Pick<AppendRequest, 'commandId' | 'stream' | 'expected'> & { readonly events: number }

/** Where an acknowledged command stands. */
export type Acknowledged = {
  readonly commandId: string
  readonly firstPosition: number
  readonly lastPosition: number
  readonly firstVersion: number
}

/** What a writer says of its commands, a line each; it may be killed after any of them. */
export type Said =
  | { readonly tag: 'tried'; readonly tried: Tried }
  | { readonly tag: 'acknowledged'; readonly acknowledged: Acknowledged; readonly repeated: boolean }
  | { readonly tag: 'refused'; readonly commandId: string; readonly why: string }
  | { readonly tag: 'unknown'; readonly commandId: string; readonly why: string }

/** The whole request of a command: what was tried can be sent again, the same to the byte. */
export const requestOf = ({ commandId, stream, expected, events }: Tried): AppendRequest => ({
  commandId,
  stream,
  expected,
  actor: 'writer',
  correlationId: stream,
  events: Array.from({ length: events }, (_, place) => ({
    type: 'Written',
    schemaVersion: 1,
    data: { commandId, place, filler: '·'.repeat((place * 37) % 200) },
  })),
})
