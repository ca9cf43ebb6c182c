import type { InferOutput } from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import { failure, Forbidden, invalid } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, createRecord, deleteRecord, recordOf, lockRow, lockToDelete } from '#runtime/records/records.ts'
import { listOf, newestFirst } from '#runtime/records/lists.ts'
import { refuseEscalation } from '../escalation.ts'
import { Role, type NewRole, type RoleChanges } from './schemas.ts'

export const RoleNameTaken = failure('CONFLICT', 'role_name_taken', 'There is another role of this name.')
export const RoleImmutable = failure(
  'ROLE_IMMUTABLE',
  'role_immutable',
  'The owner’s role has every permission and can be neither changed nor deleted.',
)
export const SystemRoleStays = failure(
  'CONFLICT',
  'system_role',
  'A role that every institute has cannot be deleted: change it, or stop assigning it.',
)
export const RoleInUse = failure('CONFLICT', 'role_in_use', 'The role is still assigned to members.')

const toRole = shows(Role)

export const roleRecord = recordOf('role', {
  show: toRole,
  refusals: { unique: { 'role(name)': RoleNameTaken } },
  inUse: RoleInUse,
})

/** Newest first. */
export const listRoles = listOf({
  from: (db) => db.selectFrom('role').selectAll(),
  order: newestFirst('role'),
  show: toRole,
})

/** @throws PermissionEscalation, RoleNameTaken */
export const createRole = async (tx: Tx, caller: Caller, body: InferOutput<typeof NewRole>): Promise<Role> => {
  refuseEscalation(caller.grants, body.permissions)
  return createRecord(tx, roleRecord, { ...body, isSystem: false })
}

/** @throws NotFound, RoleImmutable, VersionConflict, Forbidden, PermissionEscalation, RoleNameTaken, VALIDATION_ERROR */
export const changeRole = async (
  tx: Tx,
  caller: Caller,
  { id, version, ...body }: InferOutput<typeof RoleChanges> & { id: string },
): Promise<Role> => {
  const row = await lockRow(tx, roleRecord, id, version)
  const { asksSecondFactor, name, description, permissions } = body
  const isOfSignIn = asksSecondFactor !== undefined
  const isOfRole = [name, description, permissions].some((given) => given !== undefined)
  if (row.key === 'owner' && (isOfRole || !isOfSignIn)) throw RoleImmutable()
  // Whoever may make roles could otherwise take from the owners what keeps strangers out.
  if (isOfSignIn && asksSecondFactor !== row.asks_second_factor && !caller.isOwner) {
    throw Forbidden({ reason: 'owner_only' })
  }
  if (body.permissions) {
    if ((row.key === 'student' || row.key === 'guardian') && body.permissions.length > 0) {
      throw invalid(['permissions'], 'Must stay empty: every student or guardian of the institute would hold them.')
    }
    // Callers need to hold only the permissions that they add.
    const added = body.permissions.filter((permission) => !row.permissions.includes(permission))
    refuseEscalation(caller.grants, added)
  }
  return changeRecord(tx, roleRecord, row, body)
}

/** @throws NotFound, RoleImmutable, SystemRoleStays, RoleInUse */
export const deleteRole = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, roleRecord, id)
  if (row.key === 'owner') throw RoleImmutable()
  if (row.is_system) throw SystemRoleStays()
  return deleteRecord(tx, roleRecord, row)
}
