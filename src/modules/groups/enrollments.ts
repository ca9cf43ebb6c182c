import { compiledInTenant } from '#db/queries/compiled.ts'
import * as v from 'valibot'
import type { InferOutput } from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { failure, found, invalid, NotFound, type ApiError } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained } from '#kernel/values/named.ts'
import { count } from '#kernel/values/schema.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, createRecord, recordOf, lockRow, readRecord, type Row } from '#runtime/records/records.ts'
import { groupRecord } from './groups.ts'
import {
  Enrollment,
  type Enrolled,
  type EnrollmentChanges,
  type EnrollmentMove,
  type EnrollmentRefusal,
  type NewEnrollment,
  type NewEnrollments,
} from './schemas.ts'
import { beginOf, endOf, isDue } from './effect.ts'
import { listOf, listUnder, newestFirst } from '#runtime/records/lists.ts'
import { GROUP_STATUSES } from './tables.ts'

export const AlreadyEnrolled = failure('CONFLICT', 'already_enrolled', 'The student is in this group already.')
export const GroupFull = failure('CONFLICT', 'group_full', 'The group is full.', {
  details: {
    schema: explained(v.object({ capacity: count, enrolled: count, offered: v.optional(count) }), {
      capacity: 'How many students the group takes.',
      enrolled: 'How many are actively enrolled.',
      offered: 'How many places are offered to others who wait; left out: none.',
    }),
    example: { capacity: 12, enrolled: 12 },
  },
})
export const CannotEnroll = failure(
  'CONFLICT',
  'cannot_enroll',
  'Enrolling needs a student who is lead, active or paused and a group that is planned or active.',
  {
    details: {
      schema: explained(v.object({ student: v.string(), group: v.picklist(GROUP_STATUSES) }), {
        student: 'The status of the student.',
        group: 'The status of the group.',
      }),
      example: { student: 'withdrawn', group: 'active' },
    },
  },
)
export const NotActive = failure('CONFLICT', 'not_active', 'The enrollment is not active any more.')

const toEnrollment = shows(Enrollment)

export const enrollmentRecord = recordOf('enrollment', {
  show: toEnrollment,
  refusals: { unique: { 'enrollment(student_id,group_id)': AlreadyEnrolled } },
})

const enrollments = {
  from: (db: ScopedDb) => db.selectFrom('enrollment').selectAll(),
  order: newestFirst('enrollment'),
  show: toEnrollment,
}

/** Newest first. */
export const listEnrollments = listOf({
  ...enrollments,
  filters: { studentId: 'enrollment.student_id', groupId: 'enrollment.group_id', status: 'enrollment.status' },
})

/** Newest first. */
export const listEnrollmentsOfStudent = listUnder({ table: 'student', column: 'enrollment.student_id' }, enrollments)

/** Newest first. */
export const listEnrollmentsOfGroup = listUnder(
  { table: 'group', column: 'enrollment.group_id' },
  {
    filters: { status: 'enrollment.status' },
    from: (db) =>
      db
        .selectFrom('enrollment')
        .innerJoin('student', 'student.id', 'enrollment.student_id')
        .selectAll('enrollment')
        .select(['student.student_number', 'student.first_name', 'student.last_name']),
    order: newestFirst('enrollment'),
    show: (row) => {
      const { groupId: _group, ...enrollment } = toEnrollment(row)
      return {
        ...enrollment,
        studentNumber: row.student_number,
        firstName: row.first_name,
        lastName: row.last_name,
      }
    },
  },
)

const ENROLLABLE = new Set(['lead', 'active', 'paused'])

type GroupRow = Row<'group'>

/** Who has places of a group. */
interface Taken {
  /** The students who are actively enrolled. */
  active: Set<string>
  /** Those to whom a place is offered. */
  offered: ReadonlySet<string>
}

/** The caller has locked the group. */
const takenIn = async ({ whole }: Tx, groupId: string): Promise<Taken> => {
  const active = whole.selectFrom('enrollment').select('student_id').where('group_id', '=', groupId)
  const offered = whole.selectFrom('waiting_entry').select('student_id').where('group_id', '=', groupId)
  return {
    active: new Set((await active.where('status', '=', 'active').execute()).map((row) => row.student_id)),
    offered: new Set((await offered.where('offer_ends_at', 'is not', null).execute()).map((row) => row.student_id)),
  }
}

/** Why a student cannot be enrolled in the group; undefined: nothing speaks against it. */
const refusalOf = (
  student: Pick<Row<'student'>, 'id' | 'status'>,
  group: GroupRow,
  { active, offered }: Taken,
): ApiError | undefined => {
  if (!ENROLLABLE.has(student.status) || (group.status !== 'planned' && group.status !== 'active')) {
    return CannotEnroll({ student: student.status, group: group.status })
  }
  if (active.has(student.id)) return AlreadyEnrolled()
  const toOthers = [...offered].filter((id) => id !== student.id && !active.has(id)).length
  if (group.capacity !== null && active.size + toOthers >= group.capacity) {
    return GroupFull({ capacity: group.capacity, enrolled: active.size, ...(toOthers > 0 && { offered: toOthers }) })
  }
  return undefined
}

const runningSession = compiledInTenant((whole, { groupId, now }: { groupId: string; now: string }) =>
  whole
    .selectFrom('session')
    .select('scheduled_start')
    .where('group_id', '=', groupId)
    .where('status', 'in', ['scheduled', 'held'])
    .where('scheduled_start', '<=', now)
    .where('scheduled_end', '>', now)
    .orderBy('scheduled_start')
    .limit(1),
)

/**
 * Since when a student belongs to the group who is enrolled at a desk. Where nothing is said and a session is running,
 * since it began: who sits in it stands on its roster. @throws VALIDATION_ERROR
 */
export const sinceNow = async (
  tx: Tx,
  groupId: string,
  enrolledAt: string | undefined,
): Promise<{ enrolledAt: string }> => {
  if (enrolledAt !== undefined) return { enrolledAt: beginOf(tx, enrolledAt, { isOldTaken: false }) }
  const [running] = await runningSession(tx.whole, { groupId, now: tx.now })
  return { enrolledAt: running?.scheduled_start ?? tx.now }
}

/** @throws VALIDATION_ERROR for a time that is too far ahead */
const enrolledAtOf = (tx: Tx, enrolledAt: string = tx.now): string => beginOf(tx, enrolledAt, { isOldTaken: true })

/** Takes places of a group away, where it counts them: for transactions that only try what enrolling would do. */
export const removePlaces = async ({ whole }: Tx, groupId: string, places: number): Promise<void> => {
  await whole
    .updateTable('group')
    .set((eb) => ({ capacity: eb('capacity', '-', places) }))
    .where('id', '=', groupId)
    .execute()
}

/** Adds an enrollment that nothing speaks against, with its event. */
const addEnrollment = async (
  tx: Tx,
  group: GroupRow,
  body: Omit<InferOutput<typeof NewEnrollment>, 'groupId'> & { enrolledAt: string },
): Promise<Enrollment> => {
  const { studentId, enrolledAt, priceMinor = group.fee_minor ?? 0, currency = group.currency } = body
  const enrollment = await createRecord(tx, enrollmentRecord, {
    studentId,
    groupId: group.id,
    status: 'active',
    priceMinor,
    currency,
    // The same number in another currency is a different price.
    priceOverridden: body.priceMinor !== undefined || currency !== group.currency,
    enrolledAt,
  })
  tx.emit('enrollment.created', {
    enrollmentId: enrollment.id,
    studentId,
    groupId: group.id,
    priceMinor,
    currency,
    status: 'active',
  })
  return enrollment
}

/** Locks those of the students whom the caller reaches, in one order for all who lock several. */
const lockStudents = async ({ db }: Tx, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : forNoKeyUpdate(
        db,
        db.selectFrom('student').select(['id', 'status']).where('id', 'in', ids).orderBy('id'),
      ).execute()

/**
 * Why a student cannot be enrolled in a group now; undefined: nothing speaks against it. It locks both, in the order in
 * which enrolling does. @throws NotFound
 */
export const whyNotEnrolled = async (
  tx: Tx,
  { studentId, groupId }: { studentId: string; groupId: string },
): Promise<ApiError | undefined> => {
  const student = found((await lockStudents(tx, [studentId]))[0])
  const group = await lockRow(tx, groupRecord, groupId)
  return refusalOf(student, group, await takenIn(tx, groupId))
}

/**
 * Enrolls a student into a group. It locks the student's row, then the group's, so that only one of two concurrent
 * requests gets the last place.
 * @throws NotFound, CannotEnroll, AlreadyEnrolled, GroupFull with {capacity, enrolled}, VALIDATION_ERROR
 */
export const enroll = async (tx: Tx, body: InferOutput<typeof NewEnrollment>): Promise<Enrollment> => {
  const enrolledAt = enrolledAtOf(tx, body.enrolledAt)
  const student = found((await lockStudents(tx, [body.studentId]))[0])
  const group = await lockRow(tx, groupRecord, body.groupId)
  const refusal = refusalOf(student, group, await takenIn(tx, body.groupId))
  if (refusal) throw refusal
  return addEnrollment(tx, group, { ...body, enrolledAt })
}

/**
 * Enrolls students into a group, each as by itself, in the order of the request while there are places.
 * @throws NotFound for the group, VALIDATION_ERROR
 */
export const enrollMany = async (
  tx: Tx,
  groupId: string,
  body: InferOutput<typeof NewEnrollments>,
): Promise<InferOutput<typeof Enrolled>> => {
  const enrolledAt = enrolledAtOf(tx, body.enrolledAt)
  const studentIds = [...new Set(body.studentIds)]
  const students = new Map((await lockStudents(tx, studentIds)).map((student) => [student.id, student]))
  const group = await lockRow(tx, groupRecord, groupId)
  const taken = await takenIn(tx, groupId)
  const outcome: InferOutput<typeof Enrolled> = { enrolled: [], refused: [] }
  for (const studentId of studentIds) {
    const student = students.get(studentId)
    const refusal = student ? refusalOf(student, group, taken) : NotFound()
    if (refusal) {
      outcome.refused.push({ studentId, reason: refusal.spec.name as EnrollmentRefusal })
      continue
    }
    outcome.enrolled.push(await addEnrollment(tx, group, { studentId, enrolledAt }))
    taken.active.add(studentId)
  }
  return outcome
}

/** Locks an enrollment that has not ended. @throws NotFound, NotActive */
const lockActive = async (tx: Tx, id: string) => {
  const row = await lockRow(tx, enrollmentRecord, id)
  if (row.status !== 'active') throw NotActive()
  return row
}

/** Ends a locked enrollment that is active. */
const endNow = async (
  tx: Tx,
  row: Awaited<ReturnType<typeof lockActive>>,
  at: string,
  reason: string | null,
): Promise<Enrollment> => {
  const { id, student_id: studentId, group_id: groupId } = row
  tx.emit('enrollment.dropped', { enrollmentId: id, studentId, groupId, reason })
  return changeRecord(tx, enrollmentRecord, row, { status: 'dropped', droppedAt: at, endedAt: at, dropReason: reason })
}

/** Ends an enrollment whose last day has come. @returns whether it has */
export const endIfDue = async (tx: Tx, id: string): Promise<boolean> => {
  const row = await lockRow(tx, enrollmentRecord, id)
  if (row.status !== 'active' || row.ended_at === null || !isDue(tx, row.ended_at)) return false
  await endNow(tx, row, row.ended_at, row.drop_reason)
  return true
}

/** Takes back an end that lies ahead. @throws NotFound, NotActive */
export const liftEnd = async (tx: Tx, id: string): Promise<Enrollment> =>
  changeRecord(tx, enrollmentRecord, await lockActive(tx, id), { endedAt: null, dropReason: null })

/**
 * Says since when a student belongs to the group: whoever sat in a lesson before they were enrolled stands on its roster
 * then. @throws NotFound, NotActive, VALIDATION_ERROR
 */
export const changeEnrollment = async (
  tx: Tx,
  id: string,
  { enrolledAt: since }: InferOutput<typeof EnrollmentChanges>,
): Promise<Enrollment> => {
  const row = await lockActive(tx, id)
  const enrolledAt = beginOf(tx, since, { isOldTaken: false })
  if (row.ended_at !== null && enrolledAt > row.ended_at) throw invalid(['enrolledAt'], 'Must not be after the end.')
  return changeRecord(tx, enrollmentRecord, row, { enrolledAt })
}

/**
 * Takes a student out of a group: with the end of a day, of which the present and former ones take effect at once, and a
 * later one by the sweep. Without it, now.
 * @throws NotFound, NotActive, VALIDATION_ERROR
 */
export const dropEnrollment = async (
  tx: Tx,
  id: string,
  { reason = null, endedAt: day }: { reason?: string | null | undefined; endedAt?: string | undefined },
): Promise<Enrollment> => {
  const row = await lockActive(tx, id)
  const end = day === undefined ? tx.now : endOf(tx, day, { enrolledAt: row.enrolled_at })
  if (day === undefined || isDue(tx, end)) return endNow(tx, row, end, reason)
  return changeRecord(tx, enrollmentRecord, row, { endedAt: end, dropReason: reason })
}

/** The last day in the former group is the one before the first in the other, where only one of them is said. */
const daysOfMove = (
  tx: Tx,
  { enrolledAt: since, endedAt: day }: Pick<InferOutput<typeof EnrollmentMove>, 'enrolledAt' | 'endedAt'>,
): { enrolledAt: string | undefined; endedAt: string | undefined } => {
  if (since === undefined) {
    const enrolledAt = day === undefined ? undefined : startOfLocalDay(addDays(day, 1), tx.tenant.timezone)
    return { enrolledAt, endedAt: day }
  }
  const enrolledAt = beginOf(tx, since, { isOldTaken: false })
  return { enrolledAt, endedAt: day ?? addDays(localDate(enrolledAt, tx.tenant.timezone), -1) }
}

/**
 * Moves a student into another group, at its fee. A price that was agreed upon goes along where both groups cost the
 * same. It locks as enrolling does.
 * @returns the enrollment in the other group
 * @throws NotFound, NotActive, CannotEnroll, AlreadyEnrolled, GroupFull, VALIDATION_ERROR
 */
export const moveEnrollment = async (
  tx: Tx,
  id: string,
  { groupId, reason, ...asked }: InferOutput<typeof EnrollmentMove>,
): Promise<Enrollment> => {
  const { enrolledAt, endedAt } = daysOfMove(tx, asked)
  const { studentId } = await readRecord(tx.db, enrollmentRecord, id)
  found((await lockStudents(tx, [studentId]))[0])
  const former = await lockActive(tx, id)
  const prices = await tx.db
    .selectFrom('group')
    .select(['id', 'fee_minor', 'currency'])
    .where('id', 'in', [former.group_id, groupId])
    .execute()
  const [one, other] = prices
  const costSame = one?.fee_minor === other?.fee_minor && one?.currency === other?.currency
  const agreed = former.price_overridden && costSame && { priceMinor: former.price_minor, currency: former.currency }
  const moved = await enroll(tx, { studentId, groupId, enrolledAt, ...agreed })
  await dropEnrollment(tx, id, { reason, endedAt })
  return moved
}

/** @throws NotFound, NotActive */
export const completeEnrollment = async (tx: Tx, id: string): Promise<Enrollment> =>
  changeRecord(tx, enrollmentRecord, await lockActive(tx, id), {
    status: 'completed',
    completedAt: tx.now,
    endedAt: tx.now,
  })
