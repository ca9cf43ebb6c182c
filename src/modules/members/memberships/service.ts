import type { InferOutput } from 'valibot'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, deleteRecord, lockRow, lockToDelete } from '#runtime/records/records.ts'
import { refuseImpersonation } from '../escalation.ts'
import { assignRoles, checkAssignments, sameAssignment, type Assignment } from './assignments.ts'
import { lockOwners, refuseLastOwner } from './owners.ts'
import { memberRecord, readMember } from './records.ts'
import type { Member, MemberChanges, MemberRoles } from './schemas.ts'

export const OwnMembership = failure('CONFLICT', 'own_membership', 'Nobody can disable or remove themself.')
export const NotYetAccepted = failure(
  'CONFLICT',
  'not_yet_accepted',
  'The invitation has not been accepted yet: resend it, or remove the member to take it back.',
)
export const AccountBarred = failure(
  'CONFLICT',
  'account_barred',
  'The account of this person is disabled on this server: only its operator can enable it again.',
)

const refuseSelf = ({ actor }: Tx, member: { user_id: string }): void => {
  if (actingUserId(actor) === member.user_id) throw OwnMembership()
}

/** @throws AccountBarred */
const refuseBarred = async ({ db }: Tx, member: { user_id: string }): Promise<void> => {
  const { status } = await db
    .selectFrom('user')
    .select('status')
    .where('id', '=', member.user_id)
    .executeTakeFirstOrThrow()
  if (status === 'disabled') throw AccountBarred()
}

/** @throws NotFound, NotYetAccepted, AccountBarred, OwnMembership, LastOwner, Forbidden for activating when impersonated */
export const changeMember = async (
  tx: Tx,
  id: string,
  { status }: InferOutput<typeof MemberChanges>,
): Promise<Member> => {
  await lockOwners(tx)
  const row = await lockRow(tx, memberRecord, id)
  if (row.status === 'invited') throw NotYetAccepted()
  if (status === 'disabled') {
    refuseSelf(tx, row)
    await refuseLastOwner(tx, id)
  } else {
    refuseImpersonation(tx.actor)
    await refuseBarred(tx, row)
  }
  return changeRecord(tx, memberRecord, row, { status })
}

/** Deletes the membership with its roles and its invitation. @throws NotFound, OwnMembership, LastOwner */
export const deleteMember = async (tx: Tx, id: string) => {
  await lockOwners(tx)
  const row = await lockToDelete(tx, memberRecord, id)
  refuseSelf(tx, row)
  await refuseLastOwner(tx, id)
  return deleteRecord(tx, memberRecord, row)
}

const wantedRoles = ({ roles }: InferOutput<typeof MemberRoles>): Assignment[] => {
  const wanted: Assignment[] = []
  for (const { roleId, branchId = null } of roles) {
    if (!wanted.some((one) => sameAssignment(one, { roleId, branchId }))) wanted.push({ roleId, branchId })
  }
  return wanted
}

/**
 * Replaces a member's roles. Callers need not hold the permissions of roles that the member keeps.
 * @throws NotFound, PermissionEscalation, LastOwner, Forbidden for added roles when impersonated, VALIDATION_ERROR
 */
export const replaceRoles = async (
  tx: Tx,
  caller: Caller,
  { id, ...body }: InferOutput<typeof MemberRoles> & { id: string },
): Promise<Member> => {
  await lockOwners(tx)
  const row = await lockRow(tx, memberRecord, id)
  const before = await readMember(tx.db, id)
  const wanted = wantedRoles(body)
  const added = wanted.filter((one) => !before.roles.some((held) => sameAssignment(held, one)))
  const lost = before.roles.filter((held) => !wanted.some((one) => sameAssignment(held, one)))
  if (added.length > 0) refuseImpersonation(tx.actor)
  await checkAssignments(tx.db, caller, added, ['roles'])
  if (lost.some((role) => role.roleKey === 'owner')) await refuseLastOwner(tx, id)
  if (lost.length > 0) {
    await tx.db
      .deleteFrom('role_assignment')
      .where('membership_id', '=', id)
      .where((eb) =>
        eb.or(
          lost.map(({ roleId, branchId }) =>
            eb.and([eb('role_id', '=', roleId), eb('branch_id', 'is not distinct from', branchId)]),
          ),
        ),
      )
      .execute()
  }
  await assignRoles(tx, id, added)
  return changeRecord(tx, memberRecord, row, {}, { before, partsChanged: added.length > 0 || lost.length > 0 })
}
