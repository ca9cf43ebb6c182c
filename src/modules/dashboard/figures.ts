import { countUpTo, MAX_ROWS_READ, readBounded, readBySize } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, monthRange, startOfLocalDay } from '#kernel/time/zone.ts'
import { attendanceRate, countRecent, recentSpan } from '#modules/attendance/index.ts'
import { invoiceFigures } from '#modules/billing/index.ts'

interface Asked {
  db: ScopedDb
  whole: ScopedDb
  tenant: TenantInfo
  now: string
}

const LOOKED_AT = MAX_ROWS_READ + 1

/** A session has about so many entries; used only to estimate the size of a query. */
const ENTRIES_OF_A_SESSION = 30

const activeStudents = (db: ScopedDb) => db.selectFrom('student').where('student.status', '=', 'active')

const newStudents = (db: ScopedDb, { start, end }: { start: string; end: string }) =>
  db.selectFrom('student').where('student.created_at', '>=', start).where('student.created_at', '<', end)

const countStudents = async (
  { db, whole }: Pick<Asked, 'db' | 'whole'>,
  students: (db: ScopedDb) => ReturnType<typeof activeStudents>,
): Promise<number> => {
  const size = await countUpTo(whole, students(whole).select('student.id'), LOOKED_AT)
  const [counted] = await readBySize(
    students(db).select(({ fn }) => fn.countAll<number>().as('count')),
    size,
  )
  return counted?.count ?? 0
}

const readAttendanceRate = async ({ db, whole, tenant, now }: Asked): Promise<number | null> => {
  const span = recentSpan(now, tenant.timezone)
  const sessions = whole
    .selectFrom('session')
    .select('session.id')
    .where('session.scheduled_start', '>=', span.start)
    .where('session.scheduled_start', '<', span.end)
  const [counts] = await readBySize(
    countRecent(db, span),
    (await countUpTo(whole, sessions, LOOKED_AT)) * ENTRIES_OF_A_SESSION,
  )
  return counts ? attendanceRate(counts) : null
}

const readTodaySessions = async ({ db, tenant: { timezone }, now }: Asked) => {
  const today = localDate(now, timezone)
  return readBounded(
    db
      .selectFrom('session')
      .innerJoin('group', 'group.id', 'session.group_id')
      .select(['session.id', 'group.name as groupName', 'session.scheduled_start as start', 'group.room'])
      .where('session.scheduled_start', '>=', startOfLocalDay(today, timezone))
      .where('session.scheduled_start', '<', startOfLocalDay(addDays(today, 1), timezone))
      .where('session.status', '!=', 'cancelled')
      .orderBy('session.scheduled_start')
      .orderBy('session.id'),
    'session.id',
  )
}

/** The figures of what the caller reaches. @throws RateLimited when too many long reads wait, SumTooLarge */
export const readDashboard = async (asked: Asked) => {
  const { tenant, now } = asked
  const month = monthRange(now, tenant.timezone)
  const { outstanding, counts } = await invoiceFigures(asked, tenant.currency)
  return {
    studentsActive: await countStudents(asked, activeStudents),
    studentsNewThisMonth: await countStudents(asked, (db) => newStudents(db, month)),
    attendanceRate30d: await readAttendanceRate(asked),
    outstandingMinor: outstanding,
    currency: tenant.currency,
    overdueCount: counts.overdue,
    todaySessions: await readTodaySessions(asked),
  }
}
