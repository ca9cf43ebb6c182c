import { forKeyShare } from '#db/dialect.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { invalid, NotFound } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { PermissionEscalation, refuseEscalation } from '../escalation.ts'

/** One role, for the whole institute (branchId null) or for one branch. */
export interface Assignment {
  roleId: string
  branchId: string | null
}

export const sameAssignment = (a: Assignment, b: Assignment): boolean =>
  a.roleId === b.roleId && a.branchId === b.branchId

/**
 * Checks roles before they are assigned: they must exist, and the caller must hold their permissions. The owner's role,
 * which permits more than its list of permissions, is assigned by owners only, and for the whole institute only.
 * @param branchPath where the input names the branch
 * @throws NotFound, PermissionEscalation, VALIDATION_ERROR
 */
export const checkAssignments = async (
  db: ScopedDb,
  { grants, isOwner }: Caller,
  wanted: readonly Assignment[],
  branchPath: (string | number)[],
): Promise<void> => {
  if (wanted.length === 0) return
  const roleIds = wanted.map((assignment) => assignment.roleId)
  const roles = await forKeyShare(
    db,
    db.selectFrom('role').select(['id', 'key', 'permissions']).where('id', 'in', roleIds).orderBy('id'),
  ).execute()
  const byId = new Map(roles.map((role) => [role.id, role]))
  const branchIds = [...new Set(wanted.flatMap(({ branchId }) => branchId ?? []))]
  if (branchIds.length > 0) {
    const branches = await forKeyShare(
      db,
      db.selectFrom('branch').select('id').where('id', 'in', branchIds).orderBy('id'),
    ).execute()
    if (branches.length < branchIds.length) throw NotFound()
  }
  for (const { roleId, branchId } of wanted) {
    const role = byId.get(roleId)
    if (!role) throw NotFound()
    if (role.key === 'owner') {
      if (branchId !== null) throw invalid(branchPath, 'Must be left out: the owner’s role is for the whole institute.')
      if (!isOwner) throw PermissionEscalation()
    }
    refuseEscalation(grants, role.permissions, branchId)
  }
}

/** Assigns roles that checkAssignments has checked. */
export const assignRoles = async (
  { db, id, now }: Tx,
  membershipId: string,
  assignments: readonly Assignment[],
): Promise<void> => {
  if (assignments.length === 0) return
  await db
    .insertInto('role_assignment')
    .values(
      assignments.map(({ roleId, branchId }) => ({
        id: id(),
        membership_id: membershipId,
        role_id: roleId,
        branch_id: branchId,
        created_at: now,
      })),
    )
    .execute()
}
