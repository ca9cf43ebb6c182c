import type { InferOutput } from 'valibot'
import { forUpdate } from '#db/dialect.ts'
import { failure, found, invalid } from '#kernel/errors.ts'
import { shows } from '#kernel/fields.ts'
import type { TaughtGroup } from '#kernel/permissions.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { fold } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import {
  changeRecord,
  changesOf,
  createRecord,
  deleteRecord,
  recordOf,
  keepReached,
  keepRow,
  lockRow,
  lockToDelete,
} from '#runtime/records.ts'
import { courseRecord } from '#modules/courses/index.ts'
import { Group, type GroupChanges, type NewGroup } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/lists.ts'
import './tables.ts'

export const GroupInUse = failure(
  'CONFLICT',
  'group_in_use',
  'Students are enrolled in this group, or sessions were held.',
)

const groupsOf = (db: ScopedDb) =>
  db
    .selectFrom('group')
    .innerJoin('course', 'course.id', 'group.course_id')
    .selectAll('group')
    .select((eb) => [
      'course.name as course_name',
      eb
        .selectFrom('enrollment')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('enrollment.group_id', '=', 'group.id')
        .where('enrollment.status', '=', 'active')
        .as('enrolled_count'),
    ])

const toGroup = shows(Group, {
  enrolledCount: (row: { enrolled_count: number | null }) => row.enrolled_count ?? 0,
})

/** Newest first. */
export const listGroups = listOf({
  filters: {
    courseId: 'group.course_id',
    branchId: 'group.branch_id',
    teacherStaffId: 'group.teacher_staff_id',
    status: 'group.status',
  },
  search: { table: 'group', fold },
  from: groupsOf,
  order: newestFirst('group'),
  show: toGroup,
})

/** @throws NotFound */
export const readGroup = async (db: ScopedDb, id: string): Promise<Group> =>
  toGroup(found(await groupsOf(db).where('group.id', '=', id).executeTakeFirst()))

export const groupRecord = recordOf('group', {
  read: readGroup,
  derived: ({ name }) => ({ search_text: fold(name) }),
  inUse: GroupInUse,
})

/** What a group will name must be within the caller's reach, and stays there. @throws NotFound */
const keepReferences = async (
  tx: Tx,
  { branchId, teacherStaffId }: { branchId?: string | undefined; teacherStaffId?: string | null | undefined },
): Promise<void> => {
  if (branchId) await keepReached(tx, 'branch', branchId)
  if (teacherStaffId) await keepReached(tx, 'staff', teacherStaffId)
}

const checkDates = (startsOn: string | null | undefined, endsOn: string | null | undefined): void => {
  if (startsOn && endsOn && endsOn < startsOn) throw invalid(['endsOn'], 'Must not be before startsOn.')
}

/** Fee, currency and capacity are the course's unless they are given. @throws NotFound, VALIDATION_ERROR */
export const createGroup = async (tx: Tx, body: InferOutput<typeof NewGroup>): Promise<Group> => {
  const course = await keepRow(tx, courseRecord, body.courseId)
  await keepReferences(tx, body)
  checkDates(body.startsOn, body.endsOn)
  const { capacity = course.default_capacity, feeMinor = course.default_fee_minor } = body
  const { currency = course.currency, status = 'active' } = body
  return createRecord(tx, groupRecord, { ...body, capacity, feeMinor, currency, status })
}

/** @throws NotFound, VersionConflict, VALIDATION_ERROR */
export const changeGroup = async (
  tx: Tx,
  id: string,
  { version, ...body }: InferOutput<typeof GroupChanges>,
): Promise<Group> => {
  const row = await lockRow(tx, groupRecord, id, version)
  const { courseId, branchId, teacherStaffId } = changesOf(row, body)
  if (courseId) await keepReached(tx, 'course', courseId[1])
  await keepReferences(tx, { branchId: branchId?.[1], teacherStaffId: teacherStaffId?.[1] })
  const { startsOn = row.starts_on, endsOn = row.ends_on } = body
  checkDates(startsOn, endsOn)
  return changeRecord(tx, groupRecord, row, body)
}

/** @throws NotFound, GroupInUse */
export const deleteGroup = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, groupRecord, id)
  // They go with the group: whoever is marking one of them ends first, and has held it then.
  const sessions = tx.whole.selectFrom('session').select('status').where('group_id', '=', id).orderBy('id')
  const statuses = await forUpdate(tx.whole, sessions).execute()
  if (statuses.some(({ status }) => status === 'held')) throw GroupInUse()
  return deleteRecord(tx, groupRecord, row)
}

/**
 * The groups that a user teaches, or in which the user gives a session for somebody else: one that is still to come or
 * was held, not one that was cancelled. Somebody who is no longer active on the staff teaches nothing.
 */
export const taughtGroups = (db: SystemDb, tenantId: string, userId: string): Promise<TaughtGroup[]> => {
  const staff = db
    .selectFrom('staff')
    .select('staff.id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('is_active', '=', true)
  return db
    .selectFrom('group')
    .select(['group.id', 'group.branch_id as branchId'])
    .where('group.tenant_id', '=', tenantId)
    .where('group.teacher_staff_id', 'in', staff)
    .union(
      db
        .selectFrom('session')
        .innerJoin('group', (join) =>
          join.onRef('group.tenant_id', '=', 'session.tenant_id').onRef('group.id', '=', 'session.group_id'),
        )
        .select(['group.id', 'group.branch_id as branchId'])
        .where('session.tenant_id', '=', tenantId)
        .where('session.teacher_staff_id', 'in', staff)
        .where('session.status', '!=', 'cancelled'),
    )
    .execute()
}
