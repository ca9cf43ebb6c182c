import type { InferOutput } from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkRoom, lockQuota } from '#modules/tenants/index.ts'
import { changeRecord, changesOf, isEmpty, lockReferenced, lockRow, type Row } from '#runtime/records/records.ts'
import { completeEnrollment } from './enrollments.ts'
import { checkDates, countOpen, groupRecord, isOpen, lockReferences } from './groups.ts'
import type { Group, GroupChanges, GroupConsequences } from './schemas.ts'

/** Completes who is actively enrolled. @returns how many */
const completeEnrollments = async (tx: Tx, groupId: string): Promise<number> => {
  const active = tx.whole
    .selectFrom('enrollment')
    .select('id')
    .where('group_id', '=', groupId)
    .where('status', '=', 'active')
    .orderBy('id')
  const rows = await forNoKeyUpdate(tx.whole, active).execute()
  for (const { id } of rows) await completeEnrollment(tx, id)
  return rows.length
}

/** What becomes of a group's lessons when the group changes. */
export type AlignLessons = (
  tx: Tx,
  change: { former: Row<'group'>; group: Row<'group'> },
) => Promise<Pick<InferOutput<typeof GroupConsequences>, 'removed' | 'cancelled' | 'restored' | 'created'>>

/** What follows from a change of a group: its lessons, and the enrollments of one that is completed. */
const followChange = async (
  tx: Tx,
  alignLessons: AlignLessons,
  change: { former: Row<'group'>; group: Row<'group'> },
): Promise<InferOutput<typeof GroupConsequences>> => {
  const { removed, cancelled, restored, created } = await alignLessons(tx, change)
  const isCompleted = change.group.status === 'completed' && change.former.status !== 'completed'
  const completedEnrollments = isCompleted ? await completeEnrollments(tx, change.group.id) : 0
  return { removed, cancelled, restored, created, completedEnrollments }
}

/** On which its lessons depend. */
const DECIDING = ['startsOn', 'endsOn', 'status', 'branchId'] as const

/**
 * @returns what followed; null: the change touches no lesson
 * @throws NotFound, QuotaExceeded for one that is open again, VersionConflict, VALIDATION_ERROR
 */
const writeGroup = async (
  tx: Tx,
  { id, alignLessons }: { id: string; alignLessons: AlignLessons },
  { version, ...body }: InferOutput<typeof GroupChanges>,
): Promise<{ group: Group; followed: InferOutput<typeof GroupConsequences> | null }> => {
  if (isOpen(body.status)) await lockQuota(tx, 'maxGroups')
  const row = await lockRow(tx, groupRecord, id, version)
  const { courseId, branchId, teacherStaffId } = changesOf(row, body)
  if (courseId) await lockReferenced(tx, 'course', courseId[1])
  await lockReferences(tx, { branchId: branchId?.[1], teacherStaffId: teacherStaffId?.[1] })
  if (isOpen(body.status) && !isOpen(row.status)) await checkRoom(tx, 'maxGroups', countOpen)
  const { startsOn = row.starts_on, endsOn = row.ends_on } = body
  checkDates(startsOn, endsOn)
  const deciding = changesOf(row, Object.fromEntries(DECIDING.map((field) => [field, body[field]])))
  const { status = row.status } = body
  const group = { ...row, starts_on: startsOn, ends_on: endsOn, status, branch_id: body.branchId ?? row.branch_id }
  const followed = isEmpty(deciding) ? null : await followChange(tx, alignLessons, { former: row, group })
  const statusSince = status === row.status ? row.status_since : tx.now
  const changed = await changeRecord(
    tx,
    groupRecord,
    row,
    { ...body, statusSince },
    followed ? { metadata: { followed } } : {},
  )
  return { group: changed, followed }
}

/**
 * Changes a group, and with it the lessons and enrollments on which that bears.
 * @throws NotFound, QuotaExceeded for one that is open again, VersionConflict, VALIDATION_ERROR
 */
export const changeGroup = async (...given: Parameters<typeof writeGroup>): Promise<Group> =>
  (await writeGroup(...given)).group

/** What would follow from a change, which is taken back. @throws as `changeGroup` */
export const rehearseChange = async (
  ...given: Parameters<typeof writeGroup>
): Promise<Rehearsed<InferOutput<typeof GroupConsequences>>> => {
  const { followed } = await writeGroup(...given)
  return new Rehearsed(followed ?? { removed: 0, cancelled: 0, restored: 0, created: 0, completedEnrollments: 0 })
}
