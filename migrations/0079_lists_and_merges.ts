import { sql } from 'kysely'
import type { AnyDb, Migration } from '#db/schema-kit.ts'

/**
 * Imports say what becomes of a known phone, to which branch rows belong, what they would come to and what else there is to
 * tell. A second parent of one phone is a guardian without a phone. Who was a record of somebody else is kept. Identity
 * numbers of nine digits have their zeros.
 */
export const listsAndMerges: Migration = {
  rebuilds: true,
  // The version before reads the phone of each guardian.
  alone: true,
  async up(db, kit) {
    const { id, text, instant, flag, json } = kit
    const no = sql.raw(kit.engine === 'postgres' ? 'false' : '0')
    await db.schema
      .alterTable('import')
      .addColumn('known_phone', text, (c) => c.notNull().defaultTo('refuse'))
      .execute()
    await db.schema.alterTable('import').addColumn('branch_id', id).execute()
    for (const column of ['preview', 'told']) {
      await db.schema
        .alterTable('import')
        .addColumn(column, json, (c) => c.notNull().defaultTo('[]'))
        .execute()
    }
    await kit.rebuild(db, 'import', {
      rules: [kit.oneOf('import', 'known_phone', ['refuse', 'link']), kit.belongsTo('branch_id', 'branch')],
    })
    await kit.index(db, 'import', ['tenant_id', 'branch_id'], sql`branch_id is not null`)

    await kit.rebuild(db, 'guardian', { nullable: ['phone'] })

    await db.schema
      .alterTable('lead')
      .addColumn('guardian_name_differs', flag, (c) => c.notNull().defaultTo(no))
      .execute()

    await kit
      .tenantTable(db, 'merged_record')
      .addColumn('student_id', id)
      .addColumn('guardian_id', id)
      .addColumn('student_number', text)
      .addColumn('record', json, (c) => c.notNull())
      .addColumn('merged_at', instant, (c) => c.notNull())
      .$call(kit.belongsTo('student_id', 'student', 'cascade'))
      .$call(kit.belongsTo('guardian_id', 'guardian', 'cascade'))
      .addCheckConstraint('merged_record_of_one', sql`(student_id is null) <> (guardian_id is null)`)
      .execute()
    await kit.index(db, 'merged_record', ['tenant_id', 'student_id'], sql`student_id is not null`)
    await kit.index(db, 'merged_record', ['tenant_id', 'guardian_id'], sql`guardian_id is not null`)
    await kit.unique(db, 'merged_record', ['tenant_id', 'student_number'], sql`student_number is not null`)

    await writeIdentityNumbers(db)
  },
}

/** Where identity numbers have nine digits, the last of which checks the others. */
const ZONES = ['Asia/Jerusalem', 'Asia/Tel_Aviv', 'Israel', 'Asia/Gaza', 'Asia/Hebron']

const SLICE = 1000

interface Row {
  id: string
  national_id: string
}

const writeIdentityNumbers = async (db: AnyDb): Promise<void> => {
  for (const { id } of await db.selectFrom('tenant').select('id').where('timezone', 'in', ZONES).execute()) {
    for (const table of ['student', 'guardian']) await writeThoseOf(db, table, id as string)
  }
}

const writeThoseOf = async (db: AnyDb, table: string, tenantId: string): Promise<void> => {
  let rows: Row[]
  let after: string | undefined
  do {
    let slice = db
      .selectFrom(table)
      .select(['id', 'national_id'])
      .where('tenant_id', '=', tenantId)
      .where('national_id', 'is not', null)
    if (after !== undefined) slice = slice.where('id', '>', after)
    rows = await slice.orderBy('id').limit(SLICE).execute()
    for (const { id, national_id: typed } of rows) {
      const written = identityNumber(typed)
      if (written === typed) continue
      await db
        .updateTable(table)
        .set({ national_id: written })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute()
    }
    after = rows.at(-1)?.id
  } while (rows.length === SLICE)
}

/** As the program writes them from this step on. */
const identityNumber = (typed: string): string => {
  const bare = typed.replaceAll(/[\s./\u2010-\u2015\u2212\u05BE-]/g, '')
  if (!/^\d+$/.test(bare)) return typed
  if (bare.length < 5 || bare.length > 9) return bare
  const padded = bare.padStart(9, '0')
  const sum = Array.from(padded, (digit, at) => {
    const times = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return times > 9 ? times - 9 : times
  }).reduce((all, one) => all + one, 0)
  return sum % 10 === 0 ? padded : bare
}
