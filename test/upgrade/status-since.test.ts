import { expect, test } from 'vitest'
import { migrate } from '#db/steps/migrate.ts'
import type { AnyDb } from '#db/schema-kit.ts'
import { migrations } from '#migrations'
import { databaseAt, ENGINES, fillWith } from './databases.ts'
import { KEPT, readKept } from './kept.ts'

const BEFORE = '0095_payer_accounts'
const nth = (n: number): string => `01a20064-0000-7000-8000-00000000010${n}`

test.each(ENGINES)(
  'on %s, a group that was cancelled has been since the audit log says so, and else nobody knows',
  async (engine) => {
    const [step] = KEPT.slice(-1) as [string]
    const { database, drop } = await databaseAt(engine, step)
    const { tables } = readKept(step)
    await fillWith(database, tables)
    await migrate(database, Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= BEFORE)))
    await database.write(async (given) => {
      const db = given as AnyDb
      const group = await db.selectFrom('group').selectAll().limit(1).executeTakeFirstOrThrow()
      for (const [n, status] of ['cancelled', 'cancelled', 'active'].entries()) {
        await db
          .insertInto('group')
          .values({ ...group, id: nth(n), status })
          .execute()
      }
      const entry = tables['audit_entry']?.[0]
      const told = [
        ['2026-03-01T10:00:00.000Z', { status: 'active' }, { status: 'cancelled' }],
        ['2026-03-02T10:00:00.000Z', { status: 'cancelled' }, { status: 'active' }],
        ['2026-03-03T10:00:00.000Z', { status: 'active' }, { status: 'cancelled' }],
        ['2026-03-04T10:00:00.000Z', { name: 'English' }, { name: 'English A' }],
      ] as const
      for (const [at, [created_at, before, after]] of told.entries()) {
        const record = {
          tenant_id: group.tenant_id,
          entity_type: 'group',
          entity_id: nth(0),
          action: 'groups.update',
        }
        const change = { before: JSON.stringify(before), after: JSON.stringify(after), created_at }
        await db
          .insertInto('audit_entry')
          .values({ ...entry, ...record, ...change, id: nth(at + 5) })
          .execute()
      }
    })
    await migrate(database, migrations)
    const { schema } = database as { schema: AnyDb }
    const rows = await schema
      .selectFrom('group')
      .select('status_since')
      .where('id', 'in', [nth(0), nth(1), nth(2)])
      .orderBy('id')
      .execute()
    const since = rows.map(({ status_since: at }) => (at === null ? null : new Date(String(at)).toISOString()))
    expect(since).toEqual(['2026-03-03T10:00:00.000Z', null, null])
    await database.close()
    await drop?.()
  },
)
