import { sql } from 'kysely'
import type { AnyDb, Migration, SchemaKit } from '#db/schema-kit.ts'
import { withSpellings } from '#shared/names.ts'

/**
 * Search finds a name however it is spelled: with and without apostrophes and quotation marks, as one word or as two.
 * Only what searches look into changes, and only where it differs: names stay as they are until somebody changes them.
 */
export const spellings: Migration = {
  async up(db, kit) {
    for (const [table, { columns, name }] of Object.entries(SEARCHED)) {
      await deriveAnew(db, kit, { table, columns, name, key: table === 'tenant' ? ['id'] : ['tenant_id', 'id'] })
    }
  },
}

type Row = Record<string, unknown>
type Name = (row: Row) => string

const PERSON = {
  columns: ['first_name', 'last_name'],
  name: (row: Row) => `${row['first_name'] as string} ${row['last_name'] as string}`,
}
const THING = { columns: ['name'], name: (row: Row) => row['name'] as string }

const parsed = (json: unknown): unknown => (typeof json === 'string' ? JSON.parse(json) : json)

/** By which columns, and how they make up the name: the rest of what is searched stays. */
const SEARCHED: Record<string, { columns: readonly string[]; name: Name }> = {
  student: PERSON,
  guardian: PERSON,
  staff: PERSON,
  lead: {
    columns: [...PERSON.columns, 'guardian'],
    name: (row) => {
      const guardian = parsed(row['guardian']) as { firstName: string; lastName: string } | null
      return `${PERSON.name(row)}${guardian ? ` ${guardian.firstName} ${guardian.lastName}` : ''}`
    },
  },
  group: THING,
  course: THING,
  receipt: {
    columns: ['students', 'payer_name'],
    name: ({ students, payer_name: payer }) => {
      const names = (parsed(students) as { fullName: string }[]).map(({ fullName }) => fullName)
      return [...names, (payer as string | null) ?? ''].join(' ').trim()
    },
  },
  tenant: THING,
}

/** Rows that are read at once. An institute may have hundreds of thousands. */
const SLICE = 1000

const deriveAnew = async (
  db: AnyDb,
  kit: SchemaKit,
  { table, columns, name, key }: { table: string; columns: readonly string[]; name: Name; key: string[] },
): Promise<void> => {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  let last: Row | undefined
  do {
    let slice = db.selectFrom(table).select([...key, ...columns, 'search_text'])
    if (last) {
      const after = sql.join(key.map((column) => sql`${last?.[column]}`))
      slice = slice.where(sql<boolean>`(${keys}) > (${after})`)
    }
    for (const column of key) slice = slice.orderBy(column)
    const rows = (await slice.limit(SLICE).execute()) as Row[]
    const changed = rows
      .map((row) => ({ row, text: withSpellings(row['search_text'] as string, name(row)) }))
      .filter(({ row, text }) => text !== row['search_text'])
    if (changed.length > 0) await write(db, kit, { table, key, changed })
    last = rows.length < SLICE ? undefined : rows.at(-1)
  } while (last)
}

const write = async (
  db: AnyDb,
  kit: SchemaKit,
  { table, key, changed }: { table: string; key: string[]; changed: { row: Row; text: string }[] },
): Promise<void> => {
  const id = sql.raw(kit.engine === 'postgres' ? 'uuid' : 'text')
  const rows = changed.map(({ row, text }) => {
    const ids = key.map((column) => sql`cast(${row[column]} as ${id})`)
    return sql`(${sql.join([...ids, sql`cast(${text} as text)`])})`
  })
  const names = sql.join([...key, 'search_text'].map((column) => sql.ref(column)))
  const same = sql.join(
    key.map((column) => sql`changed.${sql.ref(column)} = ${sql.ref(`${table}.${column}`)}`),
    sql` and `,
  )
  await sql`
    with changed(${names}) as (values ${sql.join(rows)})
    update ${sql.table(table)} set search_text = changed.search_text from changed where ${same}
  `.execute(db)
}
