import * as t from 'io-ts'

/** An event as deciders make it and projections read it: its tag and what it says. */
export type EventOf<Type extends string, Data> = { readonly type: Type; readonly data: Data }

/** Ties an event's type to the version of its shape and the codec that reads and writes its data. */
export type EventDefinition<Type extends string, C extends t.Mixed> = {
  readonly type: Type
  readonly schemaVersion: number
  readonly data: C
  /** The event with its tag first, for building one. */
  readonly of: (data: t.TypeOf<C>) => EventOf<Type, t.TypeOf<C>>
}

/** Defines an event. */
export const defineEvent = <Type extends string, P extends t.Props>(
  type: Type,
  schemaVersion: number,
  props: P,
): EventDefinition<Type, t.ExactC<t.TypeC<P>>> => ({
  type,
  schemaVersion,
  data: t.strict(props, type),
  of: (data) => ({ type, data }),
})
