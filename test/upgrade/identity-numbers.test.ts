import { expect, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith } from './databases.ts'
import { KEPT, readKept } from './kept.ts'
import { columnsOf, valuesOf } from './rows.ts'

const BEFORE = '0073_send_paces'
const STEP = '0074_identity_numbers'

const upTo = (step: string) => Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= step))

test.each(ENGINES)('on %s, identity numbers get Western digits, and nothing else changes', async (engine) => {
  const [step] = KEPT.slice(-1) as [string]
  const { database, drop } = await databaseAt(engine, step)
  await fillWith(database, readKept(step).tables)
  await migrate(database, upTo(BEFORE))
  await database.write(async (db) => {
    await (db as AnyDb).updateTable('student').set({ national_id: '٠١٢٣٤٥٦٧۸' }).execute()
    await (db as AnyDb).updateTable('guardian').set({ national_id: 'AB-12' }).execute()
  })
  const columns = await columnsOf(database)
  const rest = await valuesOf(database, columns, { student: ['national_id'] })
  await migrate(database, upTo(STEP))
  expect(await valuesOf(database, columns, { student: ['national_id'] })).toEqual(rest)
  const { schema } = database as { schema: AnyDb }
  const numbers = await schema.selectFrom('student').select('national_id').distinct().execute()
  expect(numbers).toEqual([{ national_id: '012345678' }])
  await database.close()
  await drop?.()
})
