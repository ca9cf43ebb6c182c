import type { Selectable } from 'kysely'
import type { InferOutput } from 'valibot'
import { locked, lockedForChange, refusing } from '#db/dialect.ts'
import type { Caller } from '#kernel/actor.ts'
import { failure, invalid, NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { newestFirst, pageBy, type PageRequest } from '#runtime/pages.ts'
import { checkVersion } from '#runtime/versions.ts'
import { refuseEscalation } from '../escalation.ts'
import '../tables.ts'
import type { NewRole, Role, RoleChanges } from './schemas.ts'

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

const nameRule = { unique: { 'role(name)': RoleNameTaken } }

const toRole = (row: Selectable<Tables['role']>): Role => ({
  id: row.id,
  key: row.key,
  name: row.name,
  description: row.description,
  isSystem: row.is_system,
  permissions: row.permissions,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const listRoles = (db: ScopedDb, page: PageRequest): Promise<Page<Role>> =>
  pageBy(db.selectFrom('role').selectAll(), page, newestFirst('role'), toRole)

const roleById = (db: ScopedDb, id: string) => db.selectFrom('role').selectAll().where('id', '=', id)

const found = (row: Selectable<Tables['role']> | undefined): Role => {
  if (!row) throw NotFound()
  return toRole(row)
}

/** @throws NotFound */
export const readRole = async (db: ScopedDb, id: string): Promise<Role> =>
  found(await roleById(db, id).executeTakeFirst())

/** @throws PermissionEscalation, RoleNameTaken */
export const createRole = async (tx: Tx, caller: Caller, body: InferOutput<typeof NewRole>): Promise<Role> => {
  refuseEscalation(caller.grants, body.permissions)
  const id = tx.id()
  await tx.db
    .insertInto('role')
    .values({
      id,
      key: null,
      name: body.name,
      description: body.description ?? null,
      is_system: false,
      permissions: body.permissions,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing(nameRule))
  const role = await readRole(tx.db, id)
  tx.audit({ entityType: 'role', entityId: id, after: role })
  return role
}

/** @throws NotFound, RoleImmutable, VersionConflict, PermissionEscalation, RoleNameTaken, VALIDATION_ERROR */
export const changeRole = async (
  tx: Tx,
  caller: Caller,
  { id, version, ...changes }: InferOutput<typeof RoleChanges> & { id: string },
): Promise<Role> => {
  const before = found(await lockedForChange(tx.db, roleById(tx.db, id)).executeTakeFirst())
  if (before.key === 'owner') throw RoleImmutable()
  checkVersion(version, before.version)
  if (changes.permissions) {
    if ((before.key === 'student' || before.key === 'guardian') && changes.permissions.length > 0) {
      throw invalid(['permissions'], 'Must stay empty: every student or guardian of the institute would hold them.')
    }
    // What the role has already is not given anew by keeping it.
    const added = changes.permissions.filter((permission) => !before.permissions.includes(permission))
    refuseEscalation(caller.grants, added)
  }
  await tx.db
    .updateTable('role')
    .set({ ...changes, version: before.version + 1, updated_at: tx.now })
    .where('id', '=', id)
    .execute()
    .catch(refusing(nameRule))
  const after = await readRole(tx.db, id)
  tx.audit({ entityType: 'role', entityId: id, before, after })
  return after
}

/** @throws NotFound, RoleImmutable, SystemRoleStays, RoleInUse */
export const deleteRole = async (tx: Tx, id: string): Promise<void> => {
  const before = found(await locked(tx.db, roleById(tx.db, id)).executeTakeFirst())
  if (before.key === 'owner') throw RoleImmutable()
  if (before.isSystem) throw SystemRoleStays()
  await tx.db
    .deleteFrom('role')
    .where('id', '=', id)
    .execute()
    .catch(refusing({ foreignKey: RoleInUse }))
  tx.audit({ entityType: 'role', entityId: id, before })
}
