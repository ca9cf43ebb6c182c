import { forNoKeyUpdate } from '#db/dialect.ts'
import { readBounded } from '#db/queries/long-reads.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { shows } from '#kernel/values/fields.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { studentRecord } from '#modules/people/index.ts'
import { courseRecord } from '#modules/courses/index.ts'
import { listUnder, newestFirst, type ListContext } from '#runtime/records/lists.ts'
import {
  changeRecord,
  checkReached,
  createRecord,
  findRow,
  lockReferencedRow,
  lockRow,
  recordOf,
} from '#runtime/records/records.ts'
import { unpaidLine, withPending } from './pending.ts'
import {
  CourseEnrollment,
  type CourseEnrollmentQuery,
  type GroupGrants,
  type ListedCourseEnrollment,
  type NewCourseEnrollment,
  type NewGroupGrants,
} from './schemas.ts'

const toGrant = shows(CourseEnrollment)

export const grantRecord = recordOf('course_enrollment', { show: toGrant })

const listed = listUnder(
  { table: 'course', column: 'course_enrollment.course_id' },
  {
    filters: {
      status: 'course_enrollment.status',
      unpaid: (eb, unpaid: boolean) => (unpaid ? eb.exists(unpaidLine()) : eb.not(eb.exists(unpaidLine()))),
    },
    from: (db) =>
      db
        .selectFrom('course_enrollment')
        .innerJoin('student', 'student.id', 'course_enrollment.student_id')
        .selectAll('course_enrollment')
        .select(['student.student_number', 'student.first_name', 'student.last_name']),
    order: newestFirst('course_enrollment'),
    show: (row) => ({
      ...toGrant(row),
      studentNumber: row.student_number,
      firstName: row.first_name,
      lastName: row.last_name,
    }),
  },
)

/** What a status means in the table: a grant that is pending is stored as active. */
const STORED = {
  pending: { status: 'active', unpaid: true },
  active: { status: 'active', unpaid: false },
  completed: { status: 'completed', unpaid: undefined },
  dropped: { status: 'dropped', unpaid: undefined },
} as const

type Asked = ListContext<ScopedDb> & {
  whole: ScopedDb
  params: { courseId: string }
  query: CourseEnrollmentQuery
}

/** The grants of a course, newest first. @throws NotFound for the course */
export const listGrants = async ({ params, query, ...context }: Asked): Promise<Page<ListedCourseEnrollment>> => {
  const { status, ...page } = query
  const stored = status && STORED[status]
  const { data, nextCursor } = await listed({
    ...context,
    params: { id: params.courseId },
    query: { ...page, status: stored?.status, unpaid: stored?.unpaid },
  })
  return { data: await withPending(context.whole, data, ({ id }) => id), nextCursor }
}

/** The price of a grant: the course's fee where none is given, in the course's currency; without a price no currency. */
const priceOf = (
  { priceMinor: given, currency }: Omit<NewCourseEnrollment, 'studentId'>,
  course: { default_fee_minor: number | null; currency: 'ILS' | 'USD' | 'EUR' },
) => {
  const priceMinor = given ?? course.default_fee_minor
  return { priceMinor, currency: priceMinor === null ? null : (currency ?? course.currency) }
}

const shownNow = async (tx: Tx, grant: CourseEnrollment): Promise<CourseEnrollment> =>
  (await withPending(tx.whole, [grant], ({ id }) => id))[0] ?? grant

/**
 * Gives a student a course. One who has it already keeps it as it is; one who had it before gets it again, with the
 * price of now. Records course_enrollment.created unless the student has the course already. It locks the student, so
 * that only one of two concurrent requests gives the course.
 * @throws NotFound for the course or the student, PersonErased
 */
export const grantCourse = async (tx: Tx, courseId: string, body: NewCourseEnrollment): Promise<CourseEnrollment> => {
  const { now } = tx
  const { studentId } = body
  await lockRow(tx, studentRecord, studentId)
  const course = await lockReferencedRow(tx, courseRecord, courseId)
  const before = await tx.whole
    .selectFrom('course_enrollment')
    .select('id')
    .where('student_id', '=', studentId)
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  const granted = { status: 'active', grantedAt: now, grantedByUserId: actingUserId(tx.actor) } as const
  const price = priceOf(body, course)
  let grant: CourseEnrollment
  if (before) {
    const row = await lockRow(tx, grantRecord, before.id)
    if (row.status !== 'dropped') return shownNow(tx, await changeRecord(tx, grantRecord, row, {}))
    grant = await changeRecord(tx, grantRecord, row, { ...granted, ...price, endedAt: null, dropReason: null })
  } else {
    grant = await createRecord(tx, grantRecord, { ...granted, ...price, courseId, studentId })
  }
  // It may be pending right away: an unpaid line from before it was dropped still counts.
  const shown = await shownNow(tx, grant)
  tx.emit('course_enrollment.created', {
    courseEnrollmentId: grant.id,
    courseId,
    studentId,
    status: shown.status === 'pending' ? 'pending' : 'active',
    ...price,
  })
  return shown
}

/**
 * Gives a course to everybody who is in a group now, as `grantCourse` does it. It locks the students in one order, so that
 * two groups that share some are given courses one after the other. @throws NotFound for the group or the course
 */
export const grantGroup = async (
  tx: Tx,
  groupId: string,
  { courseId, ...price }: NewGroupGrants,
): Promise<GroupGrants> => {
  await checkReached(tx.db, 'group', groupId)
  await checkReached(tx.whole, 'course', courseId)
  const inGroup = tx.whole
    .selectFrom('enrollment')
    .select('student_id')
    .where('group_id', '=', groupId)
    .where('status', '=', 'active')
  const members = await readBounded(inGroup, 'enrollment.id')
  const ids = [...new Set(members.map((row) => row.student_id))]
  if (ids.length === 0) return { granted: [], had: [], unreached: 0 }
  const reached = await forNoKeyUpdate(
    tx.db,
    tx.db.selectFrom('student').select('id').where('id', 'in', ids).orderBy('id'),
  ).execute()
  const having = await tx.whole
    .selectFrom('course_enrollment')
    .select('student_id')
    .where('course_id', '=', courseId)
    .where('student_id', 'in', ids)
    .where('status', '!=', 'dropped')
    .execute()
  const had = new Set(having.map((row) => row.student_id))
  const granted: CourseEnrollment[] = []
  for (const { id } of reached) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in the order in which they are locked
    if (!had.has(id)) granted.push(await grantCourse(tx, courseId, { studentId: id, ...price }))
  }
  return {
    granted,
    had: reached.flatMap(({ id }) => (had.has(id) ? id : [])),
    unreached: ids.length - reached.length,
  }
}

/** Takes a course from a student; what they completed stays. Records course_enrollment.dropped once. @throws NotFound */
export const dropGrant = async (tx: Tx, id: string, reason: string | null): Promise<void> => {
  const { student_id: studentId, course_id: courseId } = await findRow(tx.db, grantRecord, id)
  const row = await lockRow(tx, grantRecord, id)
  if (row.status === 'dropped') {
    await changeRecord(tx, grantRecord, row, {})
    return
  }
  tx.emit('course_enrollment.dropped', { courseEnrollmentId: id, courseId, studentId, reason })
  await changeRecord(tx, grantRecord, row, { status: 'dropped', endedAt: tx.now, dropReason: reason })
}
