import { SYSTEM_ROLES, type SystemRoleKey } from '#kernel/rights/permissions.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { Locale } from '#shared/locale.ts'
import { roles as ar } from '#shared/role-words/ar.ts'
import { roles as en } from '#shared/role-words/en.ts'
import { roles as he } from '#shared/role-words/he.ts'

/** The names with which the roles of an institute begin. */
const NAMES: Readonly<Record<Locale, Readonly<Record<SystemRoleKey, string>>>> = { ar, en, he }

/** Adds the system roles to a new institute, with names in its language. @returns their ids by key */
export const seedSystemRoles = async (tx: Tx): Promise<Record<SystemRoleKey, string>> => {
  const names = NAMES[tx.tenant.defaultLocale]
  const roles = SYSTEM_ROLES.map((role) => ({ ...role, id: tx.id() }))
  await tx.whole
    .insertInto('role')
    .values(
      roles.map(({ id, key, permissions }) => ({
        id,
        key,
        name: names[key],
        description: null,
        is_system: true,
        permissions: [...permissions],
        created_at: tx.now,
        updated_at: tx.now,
      })),
    )
    .execute()
  return Object.fromEntries(roles.map(({ key, id }) => [key, id])) as Record<SystemRoleKey, string>
}

/** Makes a user an active member with one role for the whole institute. @returns the membership's id */
export const addMember = async (tx: Tx, { userId, roleId }: { userId: string; roleId: string }): Promise<string> => {
  const id = tx.id()
  await tx.whole
    .insertInto('membership')
    .values({ id, user_id: userId, status: 'active', joined_at: tx.now, created_at: tx.now, updated_at: tx.now })
    .execute()
  await tx.whole
    .insertInto('role_assignment')
    .values({ id: tx.id(), membership_id: id, role_id: roleId, branch_id: null, created_at: tx.now })
    .execute()
  return id
}
