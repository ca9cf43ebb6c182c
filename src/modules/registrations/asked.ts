import type { Caller } from '#kernel/who/actor.ts'
import { Forbidden, invalid } from '#kernel/values/errors.ts'
import { inPart } from '#kernel/values/parts.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { groupRecord, type Group } from '#modules/groups/index.ts'
import { leadRecord } from '#modules/leads/index.ts'
import { studentRecord } from '#modules/people/index.ts'
import { findRow, readRecord, type Row } from '#runtime/records/records.ts'
import type { NewRegistration } from './schemas.ts'

export type LeadRow = Row<'lead'>

/** A registration whose caller may ask for all of its parts. */
export interface Asked {
  body: NewRegistration
  caller: Caller
  tx: Tx
  /** The lead as it is before it is locked. */
  lead: LeadRow | null
  /** The groups that are joined, by their ids. */
  groups: ReadonlyMap<string, Group>
  /** The transaction, within what the caller reaches by this permission. */
  within(permission: Permission): Tx
}

/** Whether somebody is to be linked as guardian. */
const hasGuardian = (body: NewRegistration, lead: LeadRow | null): boolean =>
  body.guardian === undefined ? lead?.guardian !== undefined && lead.guardian !== null : body.guardian !== null

/** @throws FORBIDDEN */
const reachOf =
  ({ tx, caller }: { tx: Tx; caller: Caller }) =>
  (permission: Permission): Tx => {
    const reach = caller.grants.reach(permission)
    if (reach === undefined) throw Forbidden({ reason: 'permission_missing', permissions: [permission] })
    return tx.within(reach)
  }

const checkEachOnce = ({ students }: NewRegistration): void => {
  const ids = students.map(({ id }) => id)
  const twice = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) !== at)
  if (twice !== -1) throw invalid(['students', twice, 'id'], 'Must not name a student twice.')
}

/** The students who are there already, by their position; null: those who are new. */
export const presentIds = ({ body, lead }: Pick<Asked, 'body' | 'lead'>): (string | null)[] =>
  body.students.map(({ id }, at) => id ?? (at === 0 ? (lead?.student_id ?? null) : null))

/** The groups that are joined, as they are now. @throws FORBIDDEN, NotFound */
export const readGroups = async ({ body, within }: Pick<Asked, 'body' | 'within'>): Promise<Asked['groups']> => {
  const groups = new Map<string, Group>()
  for (const [at, student] of body.students.entries()) {
    for (const [nth, { groupId }] of student.groups.entries()) {
      if (groups.has(groupId)) continue
      const { db } = within('enrollments.write')
      const path = ['students', at, 'groups', nth, 'groupId']
      groups.set(groupId, await inPart(path, () => readRecord(db, groupRecord, groupId)))
    }
  }
  return groups
}

/**
 * Checks that the caller may do what the parts need that the request has, and reads what it names.
 * @throws FORBIDDEN, NotFound for the lead, a student or a group, VALIDATION_ERROR
 */
export const ask = async (context: { tx: Tx; caller: Caller; body: NewRegistration }): Promise<Asked> => {
  const { body } = context
  const within = reachOf(context)
  const { leadId } = body
  const leads = leadId ? within('leads.write') : undefined
  const find = (tx: Tx, id: string) => inPart(['leadId'], () => findRow(tx.db, leadRecord, id))
  const lead = leadId && leads ? await find(leads, leadId) : null
  if (hasGuardian(body, lead)) within('guardians.write')
  if (body.invoice !== 'none') within('invoices.write')
  checkEachOnce(body)
  // Before anything is worked out of what they were charged.
  for (const [at, id] of presentIds({ body, lead }).entries()) {
    if (id !== null) await inPart(['students', at, 'id'], () => findRow(context.tx.db, studentRecord, id))
  }
  return { ...context, lead, groups: await readGroups({ body, within }), within }
}
