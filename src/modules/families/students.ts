import type { SelectQueryBuilder } from 'kysely'
import { readBounded } from '#db/queries/long-reads.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { attendanceRate, countRecent, recentSpan } from '#modules/attendance/index.ts'
import type { FamilyGroup } from './schemas.ts'

/** Ids of students, or a query that finds them. */
type StudentIds = readonly string[] | SelectQueryBuilder<Tables, 'guardian_link', { student_id: string }>

/** The groups in which the students are enrolled now, first enrolled first. */
export const readGroups = async (db: ScopedDb, studentIds: StudentIds): Promise<ReadonlyMap<string, FamilyGroup[]>> => {
  const rows = await readBounded(
    db
      .selectFrom('enrollment')
      .innerJoin('group', 'group.id', 'enrollment.group_id')
      .innerJoin('course', 'course.id', 'group.course_id')
      .select(['enrollment.student_id', 'group.id as groupId', 'group.name as groupName', 'course.name as courseName'])
      .where('enrollment.student_id', 'in', studentIds)
      .where('enrollment.status', '=', 'active')
      .orderBy('enrollment.created_at')
      .orderBy('enrollment.id'),
    'enrollment.id',
  )
  const groups = new Map<string, FamilyGroup[]>()
  for (const { student_id: studentId, ...group } of rows)
    groups.set(studentId, [...(groups.get(studentId) ?? []), group])
  return groups
}

/** The attendance of the students in the last 30 days, in percent; null: nothing counts. */
export const readRates = async (
  { db, tenant, now }: { db: ScopedDb; tenant: TenantInfo; now: string },
  studentIds: StudentIds,
): Promise<ReadonlyMap<string, number | null>> => {
  const rows = await readBounded(
    countRecent(db, recentSpan(now, tenant.timezone))
      .select('attendance.student_id')
      .where('attendance.student_id', 'in', studentIds)
      .groupBy('attendance.student_id'),
    'attendance.student_id',
  )
  return new Map(rows.map((row) => [row.student_id, attendanceRate(row)]))
}
