import type { Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import type { EventSubscriber } from '#kernel/contract/module.ts'
import { foldQuery } from '#shared/text.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockDefaultBranch } from '#modules/branches/index.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { checkMember } from '#modules/members/index.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { changeRecord, changesOf, lockReferenced, lockReferencedRow, lockRow } from '#runtime/records/records.ts'
import { linkNamed } from './convert.ts'
import { createLeadRecord, leadRecord, namedGuardian, toLead } from './record.ts'
import type { Lead, LeadChanges, NewLead } from './schemas.ts'

export const StatusByConversion = failure(
  'CONFLICT',
  'status_by_conversion',
  'A lead becomes converted by POST /leads/{id}/convert alone, and then stays it.',
)

/** Newest first. */
export const listLeads = listOf({
  filters: {
    status: 'lead.status',
    courseId: 'lead.course_id',
    assignedToUserId: 'lead.assigned_to_user_id',
  },
  search: { table: 'lead', fold: foldQuery },
  from: (db) => db.selectFrom('lead').selectAll(),
  order: newestFirst('lead'),
  show: toLead,
})

/**
 * Records a lead without a student.
 * @throws NotFound for the course, the group or the user, VALIDATION_ERROR
 */
export const createLead = async (tx: Tx, caller: Caller, body: NewLead): Promise<Lead> => {
  const group = body.groupId ? await lockReferencedRow(tx, groupRecord, body.groupId) : undefined
  if (body.courseId) await lockReferenced(tx, 'course', body.courseId)
  if (body.assignedToUserId) await checkMember(tx, body.assignedToUserId)
  const reach = caller.grants.reach('leads.write')
  const own = reach === undefined || reach === 'all' ? undefined : reach.branchIds[0]
  return createLeadRecord(tx, body, {
    source: body.source ?? (caller.actor.type === 'api_key' ? 'api' : 'manual'),
    guardian: body.guardian ? namedGuardian(tx, body.guardian) : null,
    courseId: body.courseId ?? group?.course_id ?? null,
    studentId: null,
    guardianId: null,
    assignedToUserId: body.assignedToUserId,
    note: body.note,
    unlinkedBranchId: group?.branch_id ?? own ?? (await lockDefaultBranch(tx)),
  })
}

/** @throws NotFound for the lead or the user, StatusByConversion */
export const changeLead = async (tx: Tx, id: string, body: LeadChanges): Promise<Lead> => {
  const row = await lockRow(tx, leadRecord, id)
  const { status, assignedToUserId } = changesOf(row, body)
  if (status?.includes('converted')) throw StatusByConversion()
  if (assignedToUserId?.[1]) await checkMember(tx, assignedToUserId[1])
  return changeRecord(tx, leadRecord, row, body)
}

/** When a lead's student becomes active in another way, the lead counts as converted. */
export const followStudents: EventSubscriber = async (system, events) => {
  for (const { type, tenant, data } of events) {
    if (type !== 'student.status_changed' || data.status !== 'active') continue
    const tx = system.inTenant(tenant)
    const leads = tx.whole.selectFrom('lead').select('id').where('student_id', '=', data.studentId)
    const lead = await leads.where('status', '!=', 'converted').executeTakeFirst()
    if (!lead) continue
    const row = await lockRow(tx, leadRecord, lead.id)
    const guardianId = row.guardian_id ?? (await linkNamed(tx, row, data.studentId))
    await changeRecord(tx, leadRecord, row, { status: 'converted', guardianId })
  }
}
