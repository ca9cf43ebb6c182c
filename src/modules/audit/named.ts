import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Page } from '#kernel/values/schema.ts'
import { listEntries, type AuditEntry } from './entries.ts'

/** Whose record an entry tells of. */
interface Whose {
  studentId: string | null
  groupId: string | null
}

const idIn = ({ before, after }: AuditEntry, field: keyof Whose): string | null => {
  const id = after?.[field] ?? before?.[field]
  return typeof id === 'string' ? id : null
}

const given = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))]

/** An entry has of a record what changed alone: whom an enrollment is of, the enrollment itself says. */
const enrollmentsIn = async (whole: ScopedDb, entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, Whose>> => {
  const ids = given(entries.filter(({ entityType }) => entityType === 'enrollment').map(({ entityId }) => entityId))
  if (ids.length === 0) return new Map()
  const rows = await whole
    .selectFrom('enrollment')
    .select(['id', 'student_id as studentId', 'group_id as groupId'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...whose }) => [id, whose]))
}

const studentsIn = async (whole: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await whole
    .selectFrom('student')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, first_name: first, last_name: last }) => [id, `${first} ${last}`]))
}

const groupsIn = async (whole: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await whole.selectFrom('group').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Those who are, or were, members. */
const doersIn = async (whole: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await whole
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select(['user.id', 'user.full_name', 'user.email'])
    .where('membership.user_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, full_name: name, email }) => [id, name || email]))
}

/** Names who did it, and the student and the group that the records of a page are of: four more reads at most. */
const withNames = async (whole: ScopedDb, entries: readonly AuditEntry[]): Promise<AuditEntry[]> => {
  const enrollments = await enrollmentsIn(whole, entries)
  const whose = entries.map(
    (entry): Whose =>
      enrollments.get(entry.entityId ?? '') ?? { studentId: idIn(entry, 'studentId'), groupId: idIn(entry, 'groupId') },
  )
  const [doers, students, groups] = await Promise.all([
    doersIn(whole, given(entries.map(({ actorUserId }) => actorUserId))),
    studentsIn(whole, given(whose.map(({ studentId }) => studentId))),
    groupsIn(whole, given(whose.map(({ groupId }) => groupId))),
  ])
  return entries.map((entry, at) => ({
    ...entry,
    actorName: doers.get(entry.actorUserId ?? '') ?? null,
    studentName: students.get(whose[at]?.studentId ?? '') ?? null,
    groupName: groups.get(whose[at]?.groupId ?? '') ?? null,
  }))
}

/** Newest first. */
export const listAudit = async (
  context: Parameters<typeof listEntries>[0] & { whole: ScopedDb },
): Promise<Page<AuditEntry>> => {
  const page = await listEntries(context)
  return { ...page, data: await withNames(context.whole, page.data) }
}
