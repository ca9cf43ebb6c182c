import { compiledByIds, compiledInTenant } from '#db/queries/compiled.ts'
import { isTenantWide, withImplied, type Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Found } from './records.ts'

// Finds accounts: by their ids, and by what they may do. Each function takes the ids of at most a few hundred accounts.

const activeAccounts = (whole: ScopedDb) =>
  whole
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select(['user.id', 'user.full_name', 'user.email', 'user.phone', 'user.locale'])
    .where('membership.status', '=', 'active')
    .where('user.status', '=', 'active')

type Account = Awaited<ReturnType<ReturnType<typeof activeAccounts>['execute']>>[number]

const ofAccount = (account: Account): Found => ({
  kind: 'user',
  id: account.id,
  userId: account.id,
  name: account.full_name,
  email: account.email,
  phone: account.phone,
  locale: account.locale,
  branchId: null,
  students: [],
})

const usersById = compiledByIds((db, ids) => activeAccounts(db).where('user.id', 'in', ids))

/** The active members among these accounts. */
export const findUsers = async (whole: ScopedDb, ids: readonly string[]): Promise<Found[]> =>
  (await usersById(whole, ids)).map(ofAccount)

/**
 * The account of a member by its id, or by its address in lower case.
 * @returns `userId` null: the member or the account is not active
 */
export const findAccount = async (
  whole: ScopedDb,
  by: { userId: string } | { emailKey: string },
): Promise<{ userId: string | null; accountId: string; email: string } | undefined> => {
  const accounts = whole
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select(['user.id', 'user.email', 'user.status', 'membership.status as membership_status'])
  const named =
    'userId' in by ? accounts.where('user.id', '=', by.userId) : accounts.where('user.email_key', '=', by.emailKey)
  const row = await named.executeTakeFirst()
  if (!row) return undefined
  const isActive = row.status === 'active' && row.membership_status === 'active'
  return { userId: isActive ? row.id : null, accountId: row.id, email: row.email }
}

/** Those of the accounts who are members, whether or not they are active. */
export const findMemberIds = async (whole: ScopedDb, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0
    ? []
    : (await whole.selectFrom('membership').select('user_id').where('user_id', 'in', ids).execute()).map(
        (row) => row.user_id,
      )

/** The active members who hold one of the roles, there or in the whole institute. */
const holdersOf = async (whole: ScopedDb, roleIds: readonly string[], branchId: string | null): Promise<Found[]> => {
  if (roleIds.length === 0) return []
  const holders = await activeAccounts(whole)
    .innerJoin('role_assignment', 'role_assignment.membership_id', 'membership.id')
    .where('role_assignment.role_id', 'in', roleIds)
    .where((eb) =>
      eb.or([
        eb('role_assignment.branch_id', 'is', null),
        ...(branchId === null ? [] : [eb('role_assignment.branch_id', '=', branchId)]),
      ]),
    )
    .distinct()
    .execute()
  return holders.map(ofAccount)
}

const allRoles = compiledInTenant((whole) => whole.selectFrom('role').select(['id', 'key', 'permissions']))

/**
 * Everybody who holds a permission for records of the branch.
 * @param branchId null: for records of no branch
 */
export const findHolders = async (
  whole: ScopedDb,
  permission: Permission,
  branchId: string | null,
): Promise<Found[]> => {
  const roles = await allRoles(whole, {})
  // A teacher reaches only their own groups, not all records of a branch.
  const granting = roles.filter((role) => role.key !== 'teacher' && withImplied(role.permissions).has(permission))
  return holdersOf(
    whole,
    granting.map(({ id }) => id),
    isTenantWide(permission) ? null : branchId,
  )
}

export const findOwners = async (whole: ScopedDb): Promise<Found[]> => {
  const owners = await whole.selectFrom('role').select('id').where('key', '=', 'owner').execute()
  return holdersOf(
    whole,
    owners.map(({ id }) => id),
    null,
  )
}
