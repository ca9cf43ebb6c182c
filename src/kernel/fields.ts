import type * as v from 'valibot'

/**
 * The columns of a table and the fields of the API are the same by name: `starts_on` is `startsOn`. Whatever moves a value
 * between them goes by that, so that a module says only what is not so.
 */

/** `starts_on` → `startsOn` */
export type FieldOf<Column extends string> = Column extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<FieldOf<Tail>>}`
  : Column

/** `startsOn` → `starts_on` */
export type ColumnOf<Field extends string> = Field extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${ColumnOf<Tail>}`
  : Field

const columns = new Map<string, string>()

/** Names are few: each is worked out once. */
export const columnOf = (field: string): string => {
  let column = columns.get(field)
  if (column === undefined) {
    column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    columns.set(field, column)
  }
  return column
}

export const fieldOf = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

// oxlint-disable-next-line typescript/no-explicit-any -- any schema of an object
type Reply = v.ObjectSchema<any, undefined>

/** How the fields are made that are no columns. */
// oxlint-disable-next-line typescript/no-explicit-any -- each takes the columns that it names
type Computed<S extends Reply> = { [Field in keyof v.InferOutput<S>]?: (row: any) => v.InferOutput<S>[Field] }

type Needed<C> = (
  C[keyof C] extends infer One ? (One extends (row: infer Row) => unknown ? (row: Row) => void : never) : never
) extends (row: infer All) => void
  ? All
  : unknown

/** The columns that a row must have to be shown so. */
export type ShownRow<S extends Reply, C> = {
  [Field in Exclude<keyof v.InferOutput<S>, keyof C> & string as ColumnOf<Field>]: v.InferOutput<S>[Field]
} & Needed<C>

/**
 * Makes the function that turns a row into a reply: every field is the column of its name, but for those in `computed`.
 * What a row must have follows from the schema, so a query that lacks a column does not compile.
 */
export const shows = <S extends Reply, const C extends Computed<S> = object>(
  schema: S,
  computed: C = {} as C,
): ((row: ShownRow<S, C>) => v.InferOutput<S>) => {
  const fields = Object.keys(schema.entries).filter((field) => !(field in computed))
  const from = fields.map(columnOf)
  const made = Object.entries(computed as Record<string, (row: object) => unknown>)
  // Runs for every row of every list: nothing is looked up but the values.
  return (row) => {
    const reply: Record<string, unknown> = {}
    for (let index = 0; index < from.length; index += 1) {
      reply[fields[index] as string] = (row as Record<string, unknown>)[from[index] as string]
    }
    for (const [field, make] of made) reply[field] = make(row)
    return reply
  }
}
