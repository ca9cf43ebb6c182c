import type { EventType } from '#kernel/events.ts'
import { systemOrigin } from '#runtime/origin.ts'
import { runUnit } from '#runtime/unit-of-work.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/** The events of one institute as they were recorded, oldest first: `data` of those of one type, or all bodies. */
export const eventsOf = async (
  { app }: TestApp,
  { tenant }: TestInstitute,
  type?: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
): Promise<any[]> => {
  const rows = await app.database.read
    .selectFrom('event')
    .select(['type', 'body'])
    .where('tenant_id', '=', tenant.id)
    .orderBy('id')
    .execute()
  const bodies = rows.map((row) => JSON.parse(row.body))
  return type === undefined ? bodies : bodies.filter((body) => body.type === type).map((body) => body.data)
}

/** The institute's audit entries of one action, oldest first. */
export const auditOf = ({ app }: TestApp, { tenant }: TestInstitute, action: string) =>
  app.database.read
    .selectFrom('audit_entry')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .where('action', '=', action)
    .orderBy('id')
    .execute()

/** Columns that a request sets which changes nothing else. */
const SET_IN_PASSING: Record<string, string> = { api_key: 'last_used_at' }

/** Every row of every table, by table, as text in an order of its own: equal before and after what changed nothing. */
export const allRows = async ({ app }: TestApp): Promise<Record<string, string[]>> => {
  const tables = Object.keys(app.units.rules).toSorted()
  const rows = await Promise.all(
    tables.map(async (table) => {
      const found = await app.database.read
        .selectFrom(table as 'tenant')
        .selectAll()
        .execute()
      return found.map((row) => JSON.stringify({ ...row, [SET_IN_PASSING[table] ?? '']: undefined })).toSorted()
    }),
  )
  return Object.fromEntries(tables.map((table, at) => [table, rows[at] as string[]]))
}

/** Records so many events of one institute in one change, as a feature would: `data` is {n}, counted from 0. */
export const recordEvents = (
  { app }: TestApp,
  { tenant }: Pick<TestInstitute, 'tenant'>,
  count = 1,
  type: EventType = 'student.created',
): Promise<void> =>
  runUnit(app.units, systemOrigin('test'), async (unit) => {
    const tx = unit.tenant(tenant, 'all')
    for (let n = 0; n < count; n += 1) tx.record(type, { n })
  })
