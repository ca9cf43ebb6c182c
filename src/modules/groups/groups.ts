import type { InferOutput } from 'valibot'
import { forUpdate } from '#db/dialect.ts'
import { failure, found, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { TaughtGroup } from '#kernel/rights/permissions.ts'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import { searchedText } from '#shared/names.ts'
import { fold } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkRoom, countRows, type CountInPlan } from '#modules/tenants/index.ts'
import {
  createRecord,
  deleteRecord,
  recordOf,
  lockReferenced,
  lockReferencedRow,
  lockToDelete,
} from '#runtime/records/records.ts'
import { courseRecord } from '#modules/courses/index.ts'
import { Group, type NewGroup } from './schemas.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'

export const GroupInUse = failure(
  'CONFLICT',
  'group_in_use',
  'Students are enrolled in this group, sessions were held, or a fee schedule is for it.',
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
  derived: ({ name }) => ({ search_text: searchedText(name) }),
  inUse: GroupInUse,
})

/**
 * Checks that the caller reaches the records a group will refer to, and locks them so that they stay. @throws NotFound
 */
export const lockReferences = async (
  tx: Tx,
  { branchId, teacherStaffId }: { branchId?: string | undefined; teacherStaffId?: string | null | undefined },
): Promise<void> => {
  if (branchId) await lockReferenced(tx, 'branch', branchId)
  if (teacherStaffId) await lockReferenced(tx, 'staff', teacherStaffId)
}

export const checkDates = (startsOn: string | null | undefined, endsOn: string | null | undefined): void => {
  if (startsOn && endsOn && endsOn < startsOn) throw invalid(['endsOn'], 'Must not be before startsOn.')
}

const OPEN = ['planned', 'active'] as const
export const isOpen = (status: string | undefined): boolean => OPEN.some((open) => open === status)

/** Counts the groups in the plan. */
export const countOpen: CountInPlan = (whole) => countRows(whole.selectFrom('group').where('status', 'in', OPEN))

/** Takes fee, currency and capacity from the course unless they are given. @throws NotFound, QuotaExceeded, VALIDATION_ERROR */
export const createGroup = async (tx: Tx, body: InferOutput<typeof NewGroup>): Promise<Group> => {
  const course = await lockReferencedRow(tx, courseRecord, body.courseId)
  await lockReferences(tx, body)
  const { currency = course.currency, status = 'active' } = body
  if (isOpen(status)) await checkRoom(tx, 'maxGroups', countOpen)
  checkDates(body.startsOn, body.endsOn)
  const { capacity = course.default_capacity, feeMinor = course.default_fee_minor } = body
  return createRecord(tx, groupRecord, { ...body, capacity, feeMinor, currency, status, statusSince: tx.now })
}

/** @throws NotFound, GroupInUse */
export const deleteGroup = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, groupRecord, id)
  // The sessions are deleted with the group. The lock waits for a transaction that is taking attendance of one of them,
  // which makes it held.
  const sessions = tx.whole.selectFrom('session').select('status').where('group_id', '=', id).orderBy('id')
  const statuses = await forUpdate(tx.whole, sessions).execute()
  if (statuses.some(({ status }) => status === 'held')) throw GroupInUse()
  return deleteRecord(tx, groupRecord, row)
}

/**
 * The groups that a user teaches, or of which they give a session as a substitute: one that is scheduled or was held,
 * not a cancelled one. Inactive staff teach nothing.
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
