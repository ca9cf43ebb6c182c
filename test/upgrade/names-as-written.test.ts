import { expect, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith } from './databases.ts'
import { KEPT, readKept } from './kept.ts'

const BEFORE = '0120_calls'

test.each(ENGINES)('on %s, who was there before stands in lists where their name is looked for now', async (engine) => {
  const [step] = KEPT.slice(-1) as [string]
  const { database, drop } = await databaseAt(engine, step)
  const { tables } = readKept(step)
  await fillWith(database, tables)
  await migrate(database, Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= BEFORE)))
  const named = async (db: AnyDb, table: 'guardian' | 'student', first: string, last: string): Promise<void> => {
    const row = await db.selectFrom(table).select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
    const name = { first_name: first, last_name: last, sort_name: 'as before' }
    await db.updateTable(table).set(name).where('id', '=', row['id']).execute()
  }
  await database.write(async (given) => {
    const db = given as AnyDb
    await named(db, 'student', 'محمد', 'أحمد علي حداد')
    await named(db, 'guardian', 'Dana', 'Ben Zion')
  })
  await migrate(database, migrations)
  const { schema } = database as { schema: AnyDb }
  const sorted = async (table: 'guardian' | 'student') =>
    (await schema.selectFrom(table).select('sort_name').orderBy('id').limit(1).executeTakeFirstOrThrow())['sort_name']
  expect([await sorted('student'), await sorted('guardian')]).toEqual(['محمد احمد علي حداد', 'benzion dana'])
  await database.close()
  await drop?.()
})
