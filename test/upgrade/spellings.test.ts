import { expect, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith } from './databases.ts'
import { KEPT, readKept } from './kept.ts'
import { columnsOf, valuesOf } from './rows.ts'

type Row = Record<string, unknown>

const BEFORE = '0067_paused_jobs'
const STEP = '0070_spellings'

const upTo = (step: string) => Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= step))

/** More than the step reads at once. */
const MANY = 1100
const nth = (n: number): string => `01a20077-0000-7000-8000-${String(n).padStart(12, '0')}`

test.each(ENGINES)(
  'on %s, what searches look into is derived anew, and nothing else changes',
  async (engine) => {
    const [step] = KEPT.slice(-1) as [string]
    const kept = readKept(step)
    const { database, drop } = await databaseAt(engine, step)
    await fillWith(database, kept.tables)
    await migrate(database, upTo(BEFORE))
    const { schema } = database as { schema: AnyDb }
    const one = (table: string): Promise<Row> => schema.selectFrom(table).selectAll().executeTakeFirstOrThrow()
    const [student, guardian] = [await one('student'), await one('guardian')]
    const json = (value: unknown): unknown =>
      typeof value === 'object' && value && !(value instanceof Date) ? JSON.stringify(value) : value
    const copy = (row: Row, n: number, more: Row): Row => {
      const columns = Object.entries({ ...row, user_id: null, ...more, id: nth(n) })
      return Object.fromEntries(columns.map(([name, value]) => [name, json(value)]))
    }
    const students = Array.from({ length: MANY }, (_, n) => {
      // As the version before folded them.
      const [first, folded] = n === MANY - 1 ? ['בן־ציון', 'בנ-ציונ'] : ['רמב״ם', 'רמב"מ']
      const number = 700_000 + n
      const text = { student_number: `S-${number}`, first_name: first, search_text: `${folded} levi s-${number}` }
      return copy(student, n, { ...text, phone: null, email: null })
    })
    await database.write(async (db) => {
      for (let start = 0; start < MANY; start += 550) {
        await (db as AnyDb)
          .insertInto('student')
          .values(students.slice(start, start + 550))
          .execute()
      }
      await (db as AnyDb)
        .insertInto('guardian')
        .values(copy(guardian, 0, { phone: '+970599123456', search_text: 'old text' }))
        .execute()
    })
    const searched = Object.fromEntries(
      [...(await columnsOf(database)).keys()].map((table) => [table, ['search_text']]),
    )
    const columns = await columnsOf(database)
    const rest = await valuesOf(database, columns, searched)

    await migrate(database, upTo(STEP))

    expect(await valuesOf(database, columns, searched)).toEqual(rest)
    const texts = async (table: string, ids: string[]): Promise<string[]> =>
      (await schema.selectFrom(table).select('search_text').where('id', 'in', ids).orderBy('id').execute()).map(
        (row) => row['search_text'] as string,
      )
    expect(await texts('student', [nth(0), nth(MANY - 2), nth(MANY - 1)])).toEqual([
      'רמבמ levi s-700000',
      `רמבמ levi s-${700_000 + MANY - 2}`,
      `בנ ציונ levi s-${700_000 + MANY - 1} בנציונ`,
    ])
    // What was searched beside the name stays.
    expect((await texts('guardian', [nth(0)]))[0]).toMatch(/^old text/)
    // The index follows.
    if (database.sqlite) {
      const found = database.sqlite
        .prepare(`select count(*) as n from student_search where student_search match '"רמבמ"'`)
        .get()
      expect(found).toEqual({ n: MANY - 1 })
    }
    await database.close()
    await drop?.()
  },
  60_000,
)
