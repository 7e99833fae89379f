import * as t from 'io-ts'
import type { Json } from './envelope.js'

/** An event as deciders make it and projections read it: its tag and what it says. */
export type EventOf<Type extends string, Data> = { readonly type: Type; readonly data: Data }

/** Ties an event's type to the version of its shape and the codec that reads and writes its data. */
export type EventDefinition<Type extends string, C extends t.Mixed> = {
  readonly type: Type
  readonly schemaVersion: number
  readonly data: C
  readonly older: OlderReaders
  /** The event with its tag first, for building one. */
  readonly of: (data: t.TypeOf<C>) => EventOf<Type, t.TypeOf<C>>
}

/**
 * Readers of the versions before the current one: each makes the data of its version into that of the next, so that
 * events of every version that ever was are read by going from one to the next.
 */
export type OlderReaders = { readonly [version: number]: (data: Json) => Json }

/** Defines an event. */
export const defineEvent = <Type extends string, P extends t.Props>(
  type: Type,
  schemaVersion: number,
  props: P,
  older: OlderReaders = {},
): EventDefinition<Type, t.ExactC<t.TypeC<P>>> => ({
  type,
  schemaVersion,
  data: t.strict(props, type),
  older,
  of: (data) => ({ type, data }),
})
