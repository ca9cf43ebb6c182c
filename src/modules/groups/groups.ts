import type { InferOutput } from 'valibot'
import { keptInPlace, locked, lockedForChange, refusing } from '#db/dialect.ts'
import { containsWords } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, invalid, NotFound } from '#kernel/errors.ts'
import type { TaughtGroup } from '#kernel/permissions.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, SystemDb } from '#kernel/tables.ts'
import { fold } from '#kernel/text.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy } from '#runtime/pages.ts'
import { checkVersion } from '#runtime/versions.ts'
import { keepCourse } from '#modules/courses/index.ts'
import type { Group, GroupChanges, GroupQuery, NewGroup } from './schemas.ts'
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
    .select((eb) => [
      'group.id',
      'group.course_id as courseId',
      'course.name as courseName',
      'group.branch_id as branchId',
      'group.name',
      'group.teacher_staff_id as teacherStaffId',
      'group.room',
      'group.capacity',
      'group.fee_minor as feeMinor',
      'group.currency',
      'group.status',
      'group.starts_on as startsOn',
      'group.ends_on as endsOn',
      'group.version',
      'group.created_at',
      'group.updated_at',
      eb
        .selectFrom('enrollment')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('enrollment.group_id', '=', 'group.id')
        .where('enrollment.status', '=', 'active')
        .as('enrolledCount'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof groupsOf>['executeTakeFirstOrThrow']>>

const toGroup = ({ created_at: createdAt, updated_at: updatedAt, enrolledCount, ...group }: Row): Group => ({
  ...group,
  enrolledCount: enrolledCount ?? 0,
  createdAt,
  updatedAt,
})

/** Newest first. */
export const listGroups = async (
  db: ScopedDb,
  cursors: Cursors,
  query: InferOutput<typeof GroupQuery>,
): Promise<Page<Group>> => {
  let groups = groupsOf(db)
  if (query.courseId) groups = groups.where('group.course_id', '=', query.courseId)
  if (query.branchId) groups = groups.where('group.branch_id', '=', query.branchId)
  if (query.teacherStaffId) groups = groups.where('group.teacher_staff_id', '=', query.teacherStaffId)
  if (query.status) groups = groups.where('group.status', '=', query.status)
  if (query.q) {
    const words = await containsWords(db, 'group', fold(query.q))
    groups = groups.where((eb) => eb.and(words))
  }
  return pageBy(groups, { ...query, cursors }, newestFirst('group'), toGroup)
}

/** @throws NotFound */
export const readGroup = async (db: ScopedDb, id: string): Promise<Group> => {
  const row = await groupsOf(db).where('group.id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return toGroup(row)
}

/** What a group will name must be within the caller's reach, and stays there. @throws NotFound */
const keepReferences = async (
  { db }: Tx,
  { branchId, teacherStaffId }: { branchId?: string | undefined; teacherStaffId?: string | null | undefined },
): Promise<void> => {
  if (branchId) {
    const branch = db.selectFrom('branch').select('id').where('id', '=', branchId)
    if (!(await keptInPlace(db, branch).executeTakeFirst())) throw NotFound()
  }
  if (teacherStaffId) {
    const teacher = db.selectFrom('staff').select('id').where('id', '=', teacherStaffId)
    if (!(await keptInPlace(db, teacher).executeTakeFirst())) throw NotFound()
  }
}

const checkDates = (startsOn: string | null | undefined, endsOn: string | null | undefined): void => {
  if (startsOn && endsOn && endsOn < startsOn) throw invalid(['endsOn'], 'Must not be before startsOn.')
}

/** Fee, currency and capacity are the course's unless they are given. @throws NotFound, VALIDATION_ERROR */
export const createGroup = async (tx: Tx, body: InferOutput<typeof NewGroup>): Promise<Group> => {
  const course = await keepCourse(tx, body.courseId)
  await keepReferences(tx, body)
  checkDates(body.startsOn, body.endsOn)
  const id = tx.id()
  await tx.db
    .insertInto('group')
    .values({
      id,
      course_id: body.courseId,
      branch_id: body.branchId,
      name: body.name,
      teacher_staff_id: body.teacherStaffId ?? null,
      room: body.room ?? null,
      capacity: body.capacity === undefined ? course.defaultCapacity : body.capacity,
      fee_minor: body.feeMinor === undefined ? course.defaultFeeMinor : body.feeMinor,
      currency: body.currency ?? course.currency,
      status: body.status ?? 'active',
      starts_on: body.startsOn ?? null,
      ends_on: body.endsOn ?? null,
      search_text: fold(body.name),
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
  const group = await readGroup(tx.db, id)
  tx.audit({ entityType: 'group', entityId: id, after: group })
  return group
}

const groupById = (db: ScopedDb, id: string) => db.selectFrom('group').selectAll().where('id', '=', id)

/** The group's row, held until the change ends. @throws NotFound */
export const lockGroup = async ({ db }: Tx, id: string) => {
  const row = await lockedForChange(db, groupById(db, id)).executeTakeFirst()
  if (!row) throw NotFound()
  return row
}

/** For a record that will name the group. @throws NotFound */
export const keepGroup = async ({ db }: Tx, id: string): Promise<void> => {
  if (!(await keptInPlace(db, groupById(db, id)).executeTakeFirst())) throw NotFound()
}

/** @throws NotFound, VersionConflict, VALIDATION_ERROR */
export const changeGroup = async (tx: Tx, id: string, changes: InferOutput<typeof GroupChanges>): Promise<Group> => {
  const row = await lockGroup(tx, id)
  checkVersion(changes.version, row.version)
  if (changes.courseId) await keepCourse(tx, changes.courseId)
  await keepReferences(tx, changes)
  checkDates(
    changes.startsOn === undefined ? row.starts_on : changes.startsOn,
    changes.endsOn === undefined ? row.ends_on : changes.endsOn,
  )
  const before = await readGroup(tx.db, id)
  await tx.db
    .updateTable('group')
    .set({
      course_id: changes.courseId,
      branch_id: changes.branchId,
      name: changes.name,
      teacher_staff_id: changes.teacherStaffId,
      room: changes.room,
      capacity: changes.capacity,
      fee_minor: changes.feeMinor,
      currency: changes.currency,
      status: changes.status,
      starts_on: changes.startsOn,
      ends_on: changes.endsOn,
      search_text: changes.name === undefined ? undefined : fold(changes.name),
      version: row.version + 1,
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute()
  const after = await readGroup(tx.db, id)
  tx.audit({ entityType: 'group', entityId: id, before, after })
  return after
}

/** @throws NotFound, GroupInUse */
export const deleteGroup = async (tx: Tx, id: string): Promise<void> => {
  const { db, whole } = tx
  if (!(await locked(db, groupById(db, id)).executeTakeFirst())) throw NotFound()
  const before = await readGroup(db, id)
  // They go with the group: whoever is marking one of them ends first, and has held it then.
  const sessions = whole.selectFrom('session').select('status').where('group_id', '=', id).orderBy('id')
  const statuses = await locked(whole, sessions).execute()
  if (statuses.some(({ status }) => status === 'held')) throw GroupInUse()
  await tx.db
    .deleteFrom('group')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: GroupInUse }))
  tx.audit({ entityType: 'group', entityId: id, before })
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
