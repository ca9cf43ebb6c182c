import { sql } from 'kysely'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'
import { fold } from '#shared/text.ts'

/** Students and guardians in the order of their names, as an office keeps them. */
export const sortNames: Migration = {
  async up(db, kit) {
    for (const table of ['student', 'guardian']) {
      await db.schema
        .alterTable(table)
        .addColumn('sort_name', kit.text, (c) => c.notNull().defaultTo(''))
        .execute()
      await fill(db, kit, table)
      await kit.index(db, table, ['tenant_id', 'sort_name', 'id'])
    }
    await kit.index(db, 'student', ['tenant_id', 'status', 'sort_name', 'id'])
    await kit.index(db, 'student', ['tenant_id', 'branch_id', 'sort_name', 'id'])
  },
}

/** Rows that are read and written at once. An institute may have hundreds of thousands. */
const SLICE = 1000

interface Row {
  id: string
  first_name: string
  last_name: string
}

const fill = async (db: AnyDb, kit: SchemaKit, table: string): Promise<void> => {
  const id = sql.raw(kit.engine === 'postgres' ? 'uuid' : 'text')
  let last: Row | undefined
  do {
    let slice = db.selectFrom(table).select(['id', 'first_name', 'last_name']).orderBy('id').limit(SLICE)
    if (last) slice = slice.where('id', '>', last.id)
    const rows = (await slice.execute()) as Row[]
    if (rows.length > 0) {
      const named = rows.map((row) => {
        const name = fold(`${row.last_name} ${row.first_name}`)
        return sql`(cast(${row.id} as ${id}), cast(${name} as text))`
      })
      await sql`
        with named(id, name) as (values ${sql.join(named)})
        update ${sql.table(table)} set sort_name = named.name from named where named.id = ${sql.ref(`${table}.id`)}
      `.execute(db)
    }
    last = rows.length < SLICE ? undefined : rows.at(-1)
  } while (last)
}
