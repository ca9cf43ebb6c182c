import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb, Migration } from '#db/schema-kit.ts'
import { newId } from '#kernel/basics/ids.ts'
import { migrations } from '#migrations'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { startApp } from '#kit/app.ts'
import { databaseAt, ENGINES, fillWith, schemaOf, STEPS } from './databases.ts'
import { KEPT, KEPT_MASTER_KEY, KEPT_OWNER, readKept, type Kept } from './kept.ts'

/**
 * Rows that a step adds to what an institute had: since 0032 the students that count in a plan are counted, since 0050
 * the receipts of the year of its payments.
 */
const ADDED: Readonly<Record<string, number>> = { tenant_counter: 2 }

describe.each(ENGINES)('on %s', (engine) => {
  test('migrations that are applied one by one, version by version, give the newest schema', async () => {
    const fresh = await databaseAt(engine, STEPS.at(-1))
    const newest = await schemaOf(fresh.database)
    expect(newest.length).toBeGreaterThan(100)
    const { database, drop } = await databaseAt(engine, undefined)
    for (const [index, step] of STEPS.entries()) {
      const known = Object.fromEntries(Object.entries(migrations).slice(0, index + 1))
      expect(await migrate(database, known)).toEqual([step])
    }
    expect(await schemaOf(database)).toEqual(newest)
    for (const one of [database, fresh.database]) await one.close()
    for (const one of [drop, fresh.drop]) await one?.()
  })

  test('a migration that fails leaves everything as it was, including what the migrations before it did', async () => {
    const { database, drop } = await databaseAt(engine, '0001_foundation')
    const before = await schemaOf(database)
    const broken: Migration = {
      up: async (db) => {
        await db.schema.createTable('half_way').addColumn('id', 'text').execute()
        throw new Error('this step fails')
      },
    }
    await expect(migrate(database, { ...migrations, '9999_broken': broken })).rejects.toThrow('this step fails')
    expect(await schemaOf(database)).toEqual(before)
    expect(await migrate(database, migrations)).toEqual(STEPS.slice(1))
    await database.close()
    await drop?.()
  })

  test('a session of several days is found by its end', async () => {
    const step = KEPT.at(-1) as string
    const kept = readKept(step)
    const { database, drop } = await databaseAt(engine, step)
    const lasts = (session: Record<string, unknown>, hours: number) => ({
      ...session,
      scheduled_end: new Date(Date.parse(String(session['scheduled_start'])) + hours * 3_600_000).toISOString(),
    })
    const sessions = (kept.tables['session'] ?? []).map((row, n) => lasts(row, n === 0 ? 72 : 26))
    await fillWith(database, { ...kept.tables, session: sessions })
    await migrate(database, migrations)
    const [camp] = kept.tables['session'] as [Record<string, unknown>]
    const long = (database.read as AnyDb).selectFrom('session').select(['id', 'long_until', 'scheduled_end'])
    const found = await long.where('long_until', 'is not', null).execute()
    expect(found).toEqual([
      { id: camp['id'], long_until: lasts(camp, 72).scheduled_end, scheduled_end: lasts(camp, 72).scheduled_end },
    ])
    await database.close()
    await drop?.()
  })

  test('an institute on a trial is told when it ends', async () => {
    const kept = readKept(KEPT.at(-1) as string)
    const { database, drop } = await databaseAt(engine, '0065_lone_steps')
    const [tenant = {}] = kept.tables['tenant'] ?? []
    const at = { created_at: '2026-09-01T08:00:00.000Z', updated_at: '2026-09-01T08:00:00.000Z' }
    const plan = {
      id: newId(),
      code: 'small',
      name: 'Small',
      price_minor: 0,
      currency: 'ILS',
      interval: 'monthly',
      ...at,
    }
    const end = '2026-12-01T08:00:00.000Z'
    const period = { current_period_start: at.created_at, current_period_end: end }
    const subscription = {
      id: newId(),
      tenant_id: tenant['id'],
      plan_id: plan.id,
      status: 'trialing',
      ...period,
      ...at,
    }
    await fillWith(database, {
      tenant: [tenant],
      plan: [{ ...plan, features: '{}', quotas: '{}' }],
      subscription: [subscription],
    })
    await migrate(database, migrations)
    const found = await (database.read as AnyDb).selectFrom('tenant').select('trial_ends_at').execute()
    expect(found).toEqual([{ trial_ends_at: end }])
    await database.close()
    await drop?.()
  })

  test.each(KEPT)('an institute of %s loses nothing, and keeps working', async (step) => {
    const kept = readKept(step)
    const { database, file, url, drop } = await databaseAt(engine, step)
    await fillWith(database, kept.tables)
    await migrate(database, migrations)
    for (const [table, rows] of Object.entries(kept.tables)) {
      const columns = Object.keys(rows[0] ?? {})
      const found = await (database.read as AnyDb).selectFrom(table).select(columns).execute()
      expect(found, table).toHaveLength(rows.length + (ADDED[table] ?? 0))
      expect(found, table).toEqual(expect.arrayContaining(rows))
    }
    await database.close()

    const app = await startApp({
      config: { masterKey: KEPT_MASTER_KEY },
      passwords: createArgon2Passwords(),
      now: new Date(Date.now() + 60_000).toISOString(),
      database: async (dataDir) => {
        if (url === undefined) copyFileSync(file, path.join(dataDir, 'institute.db'))
        return { url, drop: async () => drop?.() }
      },
    })
    onTestFinished(() => app.close())
    const { body } = await app.post('/auth/login', { ...KEPT_OWNER, client: 'mobile' })
    const owner = app.as(body.accessToken)
    expect((await owner.get('/students')).body.data).toEqual(kept.facts.students)
    expect((await owner.get('/billing/summary')).body).toMatchObject({ outstanding: expectOutstanding(kept) })
    expect((await owner.get('/receipts')).body.data).toMatchObject(expectReceipts(kept))
    const [known] = kept.facts.students as unknown as [{ id: string; branchId: string; firstName: string }]
    const { id, branchId, firstName } = known
    const found = async (q: string) => (await owner.get(`/students?q=${encodeURIComponent(q)}`)).body.data
    for (const q of [firstName, firstName.slice(0, 2)]) expect(await found(q)).toContainEqual(known)
    await owner.patch(`/students/${id}`, { firstName: 'Ö', lastName: 'Zz' })
    for (const q of ['o', 'zz', 'o zz']) expect(await found(q)).toMatchObject([{ id, firstName: 'Ö' }])
    const next = await owner.post('/students', { branchId, firstName: 'After', lastName: 'Upgrade' })
    const last = kept.facts.students
      .map(({ studentNumber }) => studentNumber)
      .toSorted()
      .at(-1) as string
    expect(Number(next.body.studentNumber.slice(2))).toBe(Number(last.slice(2)) + 1)
    for (const { id: sessionId, teacher } of taughtIn(kept)) {
      expect((await owner.get(`/sessions/${sessionId}`)).body.teacherStaffId).toBe(teacher)
      expect((await owner.delete(`/staff/${teacher}`)).status).toBe(409)
    }
  })
})

/** The held sessions, and who gave them as far as it was stored. */
const taughtIn = ({ tables }: Kept): { id: string; teacher: string }[] => {
  const teachers = new Map(tables['group']?.map((group) => [group['id'], group['teacher_staff_id']]))
  const held = (tables['session'] ?? []).filter(({ status }) => status === 'held')
  if (held.length === 0) throw new Error('no session of the kept institute was held')
  return held.map(({ id, group_id: groupId, teacher_staff_id: own }) => ({
    id: String(id),
    teacher: String(own ?? teachers.get(groupId)),
  }))
}

const expectOutstanding = ({ facts }: Kept): unknown => (facts.summary as { outstanding: unknown }).outstanding

/** The receipts of the payments, newest first. */
const expectReceipts = ({ tables }: Kept): object[] => {
  const payments = tables['payment'] ?? []
  const reversalOf = (id: unknown) => payments.find((payment) => payment['reverses_payment_id'] === id)
  const recorded = payments.filter((payment) => payment['reverses_payment_id'] === null)
  expect(recorded).toHaveLength(2)
  return recorded
    .map(({ id, amount_minor: amountMinor, received_at: receivedAt }, index) => ({
      number: `R-2026-${String(index + 1).padStart(6, '0')}`,
      amount: { amountMinor, currency: 'ILS' },
      receivedAt,
      cancelledAt: reversalOf(id)?.['created_at'] ?? null,
      students: [{ fullName: expect.stringMatching(/. ./) }],
      payments: [{ id }],
    }))
    .toReversed()
}
