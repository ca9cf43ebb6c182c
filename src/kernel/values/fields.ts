import type * as v from 'valibot'

/**
 * Database columns and API fields have the same names, in snake_case and camelCase: `starts_on` is `startsOn`. All
 * conversions rely on this, so that a module declares only the exceptions.
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

/** The column of a field: `startsOn` → `starts_on`. Names are cached: there are few. */
export const columnOf = (field: string): string => {
  let column = columns.get(field)
  if (column === undefined) {
    column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    columns.set(field, column)
  }
  return column
}

/** The field of a column: `starts_on` → `startsOn`. */
export const fieldOf = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

// oxlint-disable-next-line typescript/no-explicit-any -- any schema of an object
type ReplySchema = v.ObjectSchema<any, undefined>

/** How to compute the fields that are not columns. */
// oxlint-disable-next-line typescript/no-explicit-any -- each takes the columns that it names
type Computed<S extends ReplySchema> = { [Field in keyof v.InferOutput<S>]?: (row: any) => v.InferOutput<S>[Field] }

type Needed<C> = (
  C[keyof C] extends infer One ? (One extends (row: infer Row) => unknown ? (row: Row) => void : never) : never
) extends (row: infer All) => void
  ? All
  : unknown

/** The columns that a row must have in order to be shown with this schema. */
export type ShownRow<S extends ReplySchema, C> = {
  [Field in Exclude<keyof v.InferOutput<S>, keyof C> & string as ColumnOf<Field>]: v.InferOutput<S>[Field]
} & Needed<C>

/**
 * Makes the function that turns a row into a reply. Each field comes from the column with its name, except the fields
 * in `computed`. The type of the row follows from the schema, so a query that misses a column does not compile.
 */
export const shows = <S extends ReplySchema, const C extends Computed<S> = object>(
  schema: S,
  computed: C = {} as C,
): ((row: ShownRow<S, C>) => v.InferOutput<S>) => {
  const fields = Object.keys(schema.entries).filter((field) => !(field in computed))
  const from = fields.map(columnOf)
  const made = Object.entries(computed as Record<string, (row: object) => unknown>)
  // This runs for each row of each list, so all names are looked up in advance.
  return (row) => {
    const reply: Record<string, unknown> = {}
    for (let index = 0; index < from.length; index += 1) {
      reply[fields[index] as string] = (row as Record<string, unknown>)[from[index] as string]
    }
    for (const [field, make] of made) reply[field] = make(row)
    return reply
  }
}
