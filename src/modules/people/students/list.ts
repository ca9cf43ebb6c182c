import { expressionBuilder } from 'kysely'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { storedIdentity } from '#kernel/values/identity-number.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import { foldQuery } from '#shared/text.ts'
import { listOf, newestFirst, type Conditions, type ListContext } from '#runtime/records/lists.ts'
import { LISTED, toStudent } from './row.ts'
import type { Student, StudentQuery } from './schemas.ts'

const enrolledIn = (groupId: string) =>
  expressionBuilder<Tables>()
    .selectFrom('enrollment')
    .select('enrollment.student_id')
    .where('enrollment.group_id', '=', groupId)
    .where('enrollment.status', '=', 'active')

const filters = {
  status: 'student.status',
  branchId: 'student.branch_id',
  nationalId: 'student.national_id',
  groupId: (eb: Conditions, groupId: string) => eb('student.id', 'in', enrolledIn(groupId)),
} as const

const search = { table: 'student', fold: foldQuery } as const

const students = listOf({
  filters,
  search,
  from: (db) => db.selectFrom('student').select(LISTED),
  order: newestFirst('student'),
  show: toStudent,
})

/** The same list and order for one tag, read from the index of tags. */
const taggedStudents = listOf({
  filters: { ...filters, tag: 'student_tag.tag' },
  search,
  from: (db, { groupId, q }) => {
    const tags = db.selectFrom('student_tag')
    // SQLite never reorders a cross join: the query starts from the tag, unless a search or a group matches fewer rows.
    const joined =
      groupId === undefined && q === undefined
        ? tags.crossJoin('student')
        : tags.innerJoin('student', (join) => join.onTrue())
    return joined.select(LISTED).whereRef('student.id', '=', 'student_tag.student_id')
  },
  order: { ...newestFirst('student'), columns: ['student_tag.created_at', 'student_tag.student_id'] },
  show: toStudent,
})

/** Newest first. */
export const listStudents = (
  context: ListContext<ScopedDb> & { tenant: TenantInfo; query: StudentQuery },
): Promise<Page<Student>> => {
  const { tag, nationalId: typed, ...rest } = context.query
  const nationalId = typed === undefined ? undefined : storedIdentity(typed, context.tenant.timezone)
  const query = { ...rest, nationalId }
  return tag === undefined ? students({ ...context, query }) : taggedStudents({ ...context, query: { ...query, tag } })
}
