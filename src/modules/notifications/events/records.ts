import type { ScopedDb } from '#kernel/tables.ts'

// What the texts tell of the records that events name. Each function takes the ids of at most a few hundred records.

export const groupsById = async (whole: ScopedDb, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await whole
    .selectFrom('group')
    .innerJoin('course', 'course.id', 'group.course_id')
    .select(['group.id', 'group.name', 'group.branch_id', 'group.teacher_staff_id', 'course.name as course_name'])
    .where('group.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const sessionsById = async (whole: ScopedDb, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await whole
    .selectFrom('session')
    .select(['id', 'scheduled_start', 'teacher_staff_id'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const invoicesById = async (whole: ScopedDb, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await whole
    .selectFrom('invoice')
    .select(['id', 'number', 'branch_id', 'student_id', 'currency', 'due_date', 'total_minor', 'paid_minor'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
