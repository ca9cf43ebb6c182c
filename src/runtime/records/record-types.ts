import type { Insertable, Selectable, Updateable } from 'kysely'
import type { FieldOf } from '#kernel/values/fields.ts'
import type { Fixed, Tables } from '#kernel/contract/tables.ts'

/** The tables whose rows have an id. */
export type TableWithId = { [T in keyof Tables]: Tables[T] extends { id: Fixed<string> } ? T : never }[keyof Tables]

export type Row<T extends TableWithId> = Selectable<Tables[T]>

/** Columns that records.ts sets; modules do not. */
type OwnColumn = 'id' | 'version' | 'created_at' | 'updated_at'

type MayLack<C> = { [N in keyof C]-?: null extends C[N] ? N : undefined extends C[N] ? N : never }[keyof C]

type NewColumns<T extends TableWithId, D> = Omit<Insertable<Tables[T]>, OwnColumn | (D & string)>
type AsFields<C> = { [N in Exclude<keyof C, MayLack<C>> & string as FieldOf<N>]: C[N] } & {
  [N in MayLack<C> & string as FieldOf<N>]?: C[N] | undefined
}

/** The fields of a new row. A field that is left out is null or has the database's default. */
export type NewFields<T extends TableWithId, D> = AsFields<NewColumns<T, D>>

/** The fields that a change requests. A field that is undefined does not change. `version` is checked by `lockRow`. */
export type Wanted<T extends TableWithId, D> = {
  [N in Exclude<keyof Updateable<Tables[T]>, OwnColumn | D> & string as FieldOf<N>]?:
    | Updateable<Tables[T]>[N]
    | undefined
} & { version?: number | undefined }
