import type { EventData } from '#kernel/contract/events.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/** The events of one institute, oldest first: `data` of those of one type, or all bodies. */
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

/** Events that tests record themselves; `n` makes them different. */
const MADE = {
  'student.created': (n: number): EventData['student.created'] => ({
    studentId: newId(),
    branchId: newId(),
    studentNumber: String(n),
    firstName: 'ليان',
    lastName: 'حداد',
    status: 'active',
  }),
  'lead.created': (n: number): EventData['lead.created'] => ({
    leadId: newId(),
    source: `form ${n}`,
    courseId: null,
    groupId: null,
    locale: 'ar',
    status: 'new',
  }),
}

/** Records one event, as a module would. */
export const recordEvent = (tx: Tx, n: number, type: keyof typeof MADE = 'student.created'): void =>
  type === 'lead.created' ? tx.emit(type, MADE[type](n)) : tx.emit(type, MADE[type](n))

/** Records so many events of one institute in one transaction, of students number 0, 1, 2 and so on. */
export const recordEvents = (
  { app }: TestApp,
  { tenant }: Pick<TestInstitute, 'tenant'>,
  count = 1,
  type?: keyof typeof MADE,
): Promise<void> =>
  runInTransaction(app.runtime, systemAuditContext('test'), async (unit) => {
    const tx = unit.tenant(tenant, 'all')
    for (let n = 0; n < count; n += 1) recordEvent(tx, n, type)
  })
