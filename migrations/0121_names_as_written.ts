import { sql } from 'kysely'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'
import { sortedName } from '#shared/names.ts'

/** Names in Arabic script are sorted as they are written, and words that people also write as one stand together. */
export const namesAsWritten: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian']) await fill(db, kit, table)
  },
}

/** Rows that are read and written at once. An institute may have hundreds of thousands. */
const SLICE = 1000

interface Row {
  id: string
  first_name: string
  last_name: string
  sort_name: string
}

const fill = async (db: AnyDb, kit: SchemaKit, table: string): Promise<void> => {
  const id = sql.raw(kit.engine === 'postgres' ? 'uuid' : 'text')
  let last: Row | undefined
  do {
    let slice = db.selectFrom(table).select(['id', 'first_name', 'last_name', 'sort_name']).orderBy('id').limit(SLICE)
    if (last) slice = slice.where('id', '>', last.id)
    const rows = (await slice.execute()) as Row[]
    const named = rows
      .map((row) => ({ ...row, name: sortedName(row.first_name, row.last_name) }))
      .filter((row) => row.name !== row.sort_name)
      .map((row) => sql`(cast(${row.id} as ${id}), cast(${row.name} as text))`)
    if (named.length > 0) {
      await sql`
        with named(id, name) as (values ${sql.join(named)})
        update ${sql.table(table)} set sort_name = named.name from named where named.id = ${sql.ref(`${table}.id`)}
      `.execute(db)
    }
    last = rows.length < SLICE ? undefined : rows.at(-1)
  } while (last)
}
