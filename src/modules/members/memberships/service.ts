import type { InferOutput } from 'valibot'
import { locked, lockedForChange } from '#db/dialect.ts'
import { actingUserId, type Caller } from '#kernel/actor.ts'
import { failure } from '#kernel/errors.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import '../tables.ts'
import { assignRoles, checkAssignments, sameAssignment, type Assignment } from './assignments.ts'
import { lockOwners, refuseLastOwner } from './owners.ts'
import { readMember } from './records.ts'
import type { Member, MemberChanges, MemberRoles } from './schemas.ts'

export const OwnMembership = failure('CONFLICT', 'own_membership', 'Nobody can disable or remove themself.')
export const NotYetAccepted = failure(
  'CONFLICT',
  'not_yet_accepted',
  'The invitation has not been accepted yet: resend it, or remove the member to take it back.',
)

const membershipById = ({ db }: Tx, id: string) => db.selectFrom('membership').select('id').where('id', '=', id)

/** The member as they are now, and until this change ends. @throws NotFound */
const lockMember = async (tx: Tx, id: string): Promise<Member> => {
  await lockOwners(tx)
  await lockedForChange(tx.db, membershipById(tx, id)).execute()
  return readMember(tx.db, id)
}

const refuseSelf = ({ actor }: Tx, member: Member): void => {
  if (actingUserId(actor) === member.userId) throw OwnMembership()
}

/** @throws NotFound, NotYetAccepted, OwnMembership, LastOwner */
export const changeMember = async (
  tx: Tx,
  id: string,
  { status }: InferOutput<typeof MemberChanges>,
): Promise<Member> => {
  const before = await lockMember(tx, id)
  if (before.status === 'invited') throw NotYetAccepted()
  if (status === 'disabled') {
    refuseSelf(tx, before)
    await refuseLastOwner(tx, id)
  }
  await tx.db.updateTable('membership').set({ status, updated_at: tx.now }).where('id', '=', id).execute()
  const after: Member = { ...before, status }
  tx.audit({ entityType: 'membership', entityId: id, before, after })
  return after
}

/** Takes the membership away with its roles and its invitation. @throws NotFound, OwnMembership, LastOwner */
export const deleteMember = async (tx: Tx, id: string): Promise<void> => {
  await lockOwners(tx)
  await locked(tx.db, membershipById(tx, id)).execute()
  const before = await readMember(tx.db, id)
  refuseSelf(tx, before)
  await refuseLastOwner(tx, id)
  await tx.db.deleteFrom('membership').where('id', '=', id).execute()
  tx.audit({ entityType: 'membership', entityId: id, before })
}

const wantedRoles = ({ roles }: InferOutput<typeof MemberRoles>): Assignment[] => {
  const wanted: Assignment[] = []
  for (const { roleId, branchId = null } of roles) {
    if (!wanted.some((one) => sameAssignment(one, { roleId, branchId }))) wanted.push({ roleId, branchId })
  }
  return wanted
}

/**
 * Replaces a member's roles. Roles that they keep are left as they are, whatever the caller holds.
 * @throws NotFound, PermissionEscalation, LastOwner, VALIDATION_ERROR
 */
export const replaceRoles = async (
  tx: Tx,
  caller: Caller,
  { id, ...body }: InferOutput<typeof MemberRoles> & { id: string },
): Promise<Member> => {
  const before = await lockMember(tx, id)
  const wanted = wantedRoles(body)
  const added = wanted.filter((one) => !before.roles.some((held) => sameAssignment(held, one)))
  const lost = before.roles.filter((held) => !wanted.some((one) => sameAssignment(held, one)))
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
  await tx.db.updateTable('membership').set({ updated_at: tx.now }).where('id', '=', id).execute()
  const after = await readMember(tx.db, id)
  tx.audit({ entityType: 'membership', entityId: id, before, after })
  return after
}
