import { expect, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith } from './databases.ts'
import { KEPT, readKept } from './kept.ts'

const BEFORE = '0074_identity_numbers'

const parsed = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)

test.each(ENGINES)(
  'on %s, what was issued keeps what stands on the day of the upgrade, and who pauses has since when',
  async (engine) => {
    const [step] = KEPT.slice(-1) as [string]
    const { database, drop } = await databaseAt(engine, step)
    await fillWith(database, readKept(step).tables)
    await migrate(database, Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= BEFORE)))
    const yes = engine === 'postgres' ? true : 1
    await database.write(async (given) => {
      const db = given as AnyDb
      await db.updateTable('student').set({ status: 'paused', updated_at: '2026-03-01T23:00:00.000Z' }).execute()
      await db.updateTable('guardian_link').set({ is_payer: yes }).execute()
      const settings = { papers: { taxNumber: '512345678' }, invoiceFooter: 'Thank you' }
      await db
        .updateTable('tenant')
        .set({ settings: JSON.stringify(settings) })
        .execute()
    })
    await migrate(database, migrations)
    const { schema } = database as { schema: AnyDb }
    const invoices = await schema
      .selectFrom('invoice')
      .innerJoin('student', 'student.id', 'invoice.student_id')
      .leftJoin('guardian_link', 'guardian_link.student_id', 'student.id')
      .leftJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
      .select(['invoice.kept', 'invoice.payer_guardian_id', 'invoice.issued_at', 'invoice.footer'])
      .select(['student.first_name', 'student.last_name', 'student.student_number'])
      .select(['guardian.id as guardian_id', 'guardian.first_name as payer_first', 'guardian.last_name as payer_last'])
      .execute()
    const issued = invoices.filter(({ issued_at }) => issued_at !== null)
    expect(issued.length).toBeGreaterThan(0)
    for (const row of invoices) {
      if (row.issued_at === null) expect([row.kept, row.payer_guardian_id]).toEqual([null, null])
      else {
        expect(row.footer).toBe('Thank you')
        expect(row.payer_guardian_id).toBe(row.guardian_id)
        const payer = row.guardian_id === null ? null : { fullName: `${row.payer_first} ${row.payer_last}` }
        const kept = parsed(row.kept)
        expect(kept).toMatchObject({
          issuer: { taxNumber: '512345678', branch: { name: expect.any(String) } },
          student: { fullName: `${row.first_name} ${row.last_name}`, studentNumber: row.student_number },
        })
        if (payer === null) expect(kept.payer).toBeNull()
        else expect(kept.payer).toMatchObject(payer)
      }
    }
    const receipts = await schema.selectFrom('receipt').select(['kept', 'payer_name']).execute()
    expect(receipts.length).toBeGreaterThan(0)
    for (const { kept, payer_name } of receipts) {
      expect(parsed(kept)).toMatchObject({ issuer: { taxNumber: '512345678', branch: { name: expect.any(String) } } })
      expect(parsed(kept).payer?.fullName ?? null).toBe(payer_name)
    }
    const students = await schema.selectFrom('student').select('id').execute()
    const pauses = await schema.selectFrom('student_pause').select(['student_id', 'paused_from', 'paused_to']).execute()
    expect(new Set(pauses.map(({ student_id }) => student_id))).toEqual(new Set(students.map(({ id }) => id)))
    expect(pauses.every(({ paused_to }) => paused_to === null)).toBe(true)
    await database.close()
    await drop?.()
  },
)
