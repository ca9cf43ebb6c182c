import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import { lockedForChange, refusing } from '#db/dialect.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, NotFound } from '#kernel/errors.ts'
import type { EventSink } from '#kernel/module.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { lockGroup } from './groups.ts'
import type { Enrollment, EnrollmentQuery, GroupEnrollmentQuery, NewEnrollment } from './schemas.ts'
import './tables.ts'

export const AlreadyEnrolled = failure('CONFLICT', 'already_enrolled', 'The student is in this group already.')
export const GroupFull = failure('CONFLICT', 'group_full', 'The group is full.')
export const CannotEnroll = failure(
  'CONFLICT',
  'cannot_enroll',
  'Enrolling needs a student who is lead, active or paused and a group that is planned or active.',
)
export const NotActive = failure('CONFLICT', 'not_active', 'The enrollment is not active any more.')

type Row = Selectable<Tables['enrollment']>

const toEnrollment = (row: Row): Enrollment => ({
  id: row.id,
  studentId: row.student_id,
  groupId: row.group_id,
  status: row.status,
  priceMinor: row.price_minor,
  currency: row.currency,
  enrolledAt: row.enrolled_at,
  droppedAt: row.dropped_at,
})

/** Newest first. */
export const listEnrollments = (
  db: ScopedDb,
  cursors: Cursors,
  query: InferOutput<typeof EnrollmentQuery>,
): Promise<Page<Enrollment>> => {
  let enrollments = db.selectFrom('enrollment').selectAll()
  if (query.studentId) enrollments = enrollments.where('student_id', '=', query.studentId)
  if (query.groupId) enrollments = enrollments.where('group_id', '=', query.groupId)
  if (query.status) enrollments = enrollments.where('status', '=', query.status)
  return pageBy(enrollments, { ...query, cursors }, newestFirst('enrollment'), toEnrollment)
}

/** @throws NotFound for a student that the caller does not reach */
export const listEnrollmentsOfStudent = async (
  db: ScopedDb,
  cursors: Cursors,
  { studentId, ...query }: { studentId: string; cursor?: string | undefined; limit: number },
): Promise<Page<Enrollment>> => {
  const student = await db.selectFrom('student').select('id').where('id', '=', studentId).executeTakeFirst()
  if (!student) throw NotFound()
  return listEnrollments(db, cursors, { ...query, studentId })
}

/** @throws NotFound for a group that the caller does not reach */
export const listEnrollmentsOfGroup = async (
  db: ScopedDb,
  cursors: Cursors,
  { groupId, ...query }: { groupId: string } & InferOutput<typeof GroupEnrollmentQuery>,
) => {
  const group = await db.selectFrom('group').select('id').where('id', '=', groupId).executeTakeFirst()
  if (!group) throw NotFound()
  let enrollments = db
    .selectFrom('enrollment')
    .innerJoin('student', 'student.id', 'enrollment.student_id')
    .selectAll('enrollment')
    .select(['student.student_number', 'student.first_name', 'student.last_name'])
    .where('enrollment.group_id', '=', groupId)
  if (query.status) enrollments = enrollments.where('enrollment.status', '=', query.status)
  return pageBy(enrollments, { ...query, cursors }, newestFirst('enrollment'), (row) => {
    const { groupId: _group, ...enrollment } = toEnrollment(row)
    return {
      ...enrollment,
      studentNumber: row.student_number,
      firstName: row.first_name,
      lastName: row.last_name,
    }
  })
}

/** @throws NotFound */
export const readEnrollment = async (db: ScopedDb, id: string): Promise<Enrollment> => {
  const row = await db.selectFrom('enrollment').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return toEnrollment(row)
}

const ENROLLABLE = new Set(['lead', 'active', 'paused'])

/**
 * Puts a student into a group. The student's row is held meanwhile, and then the group's, so that of two who want the last
 * place one gets it.
 * @throws NotFound, CannotEnroll, AlreadyEnrolled, GroupFull with {capacity, enrolled}
 */
export const enroll = async (tx: Tx, body: InferOutput<typeof NewEnrollment>): Promise<Enrollment> => {
  const { db } = tx
  const student = await lockedForChange(
    db,
    db.selectFrom('student').select('status').where('id', '=', body.studentId),
  ).executeTakeFirst()
  if (!student) throw NotFound()
  const group = await lockGroup(tx, body.groupId)
  if (!ENROLLABLE.has(student.status) || (group.status !== 'planned' && group.status !== 'active')) {
    throw CannotEnroll({ student: student.status, group: group.status })
  }
  const active = await tx.whole
    .selectFrom('enrollment')
    .select('student_id')
    .where('group_id', '=', body.groupId)
    .where('status', '=', 'active')
    .execute()
  if (active.some((row) => row.student_id === body.studentId)) throw AlreadyEnrolled()
  if (group.capacity !== null && active.length >= group.capacity) {
    throw GroupFull({ capacity: group.capacity, enrolled: active.length })
  }
  const id = tx.id()
  const row = {
    id,
    student_id: body.studentId,
    group_id: body.groupId,
    status: 'active' as const,
    price_minor: body.priceMinor ?? group.fee_minor ?? 0,
    currency: body.currency ?? group.currency,
    // The same number in another currency is another price.
    price_overridden: body.priceMinor !== undefined || (body.currency ?? group.currency) !== group.currency,
    enrolled_at: tx.now,
    dropped_at: null,
    drop_reason: null,
    completed_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await db
    .insertInto('enrollment')
    .values(row)
    .execute()
    .catch(refusing({ unique: { 'enrollment(student_id,group_id)': AlreadyEnrolled } }))
  const enrollment = toEnrollment({ ...row, tenant_id: tx.tenant.id })
  tx.record('enrollment.created', {
    enrollmentId: id,
    studentId: body.studentId,
    groupId: body.groupId,
    priceMinor: row.price_minor,
    currency: row.currency,
    status: 'active',
  })
  tx.audit({ entityType: 'enrollment', entityId: id, after: enrollment })
  return enrollment
}

/** Ends an active enrollment. @throws NotFound, NotActive */
const end = async (
  tx: Tx,
  db: ScopedDb,
  id: string,
  change: { status: 'dropped'; drop_reason: string | null } | { status: 'completed' },
): Promise<Enrollment> => {
  const before = await readEnrollment(db, id)
  const row = await db
    .updateTable('enrollment')
    .set({
      ...change,
      ...(change.status === 'dropped' ? { dropped_at: tx.now } : { completed_at: tx.now }),
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw NotActive()
  const after = toEnrollment(row)
  if (change.status === 'dropped') {
    tx.record('enrollment.dropped', {
      enrollmentId: id,
      studentId: row.student_id,
      groupId: row.group_id,
      reason: change.drop_reason,
    })
  }
  tx.audit({ entityType: 'enrollment', entityId: id, before, after })
  return after
}

/** @throws NotFound, NotActive */
export const dropEnrollment = (tx: Tx, id: string, reason: string | undefined): Promise<Enrollment> =>
  end(tx, tx.db, id, { status: 'dropped', drop_reason: reason ?? null })

/** @throws NotFound, NotActive */
export const completeEnrollment = (tx: Tx, id: string): Promise<Enrollment> =>
  end(tx, tx.db, id, { status: 'completed' })

/** Whoever withdraws or graduates leaves the groups (decisions, People), in the same transaction. */
export const leaveGroups: EventSink = async (system, events) => {
  for (const { type, tenant, data } of events) {
    if (type !== 'student.status_changed') continue
    if (data.status !== 'withdrawn' && data.status !== 'graduated') continue
    const tx = system.inTenant(tenant)
    // The student's row is held. One that ends by itself at this moment is left as it ended.
    const active = await lockedForChange(
      tx.whole,
      tx.whole
        .selectFrom('enrollment')
        .select('id')
        .where('student_id', '=', data.studentId)
        .where('status', '=', 'active')
        .orderBy('id'),
    ).execute()
    for (const { id } of active) {
      await end(tx, tx.whole, id, { status: 'dropped', drop_reason: `The student is ${data.status}.` })
    }
  }
}
