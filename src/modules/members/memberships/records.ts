import { found } from '#kernel/values/errors.ts'
import { SYSTEM_ROLES, type SystemRoleKey } from '#kernel/rights/permissions.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { recordOf } from '#runtime/records/records.ts'
import { listOf, newestFirst, type Conditions } from '#runtime/records/lists.ts'
import type { Member } from './schemas.ts'

const memberRows = (db: ScopedDb) =>
  db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select([
      'membership.id',
      'membership.user_id',
      'user.email',
      'user.full_name',
      'membership.status',
      'user.status as account_status',
      'user.has_second_factor',
      'membership.joined_at',
      'membership.created_at',
    ])

const rolesOf = async (db: ScopedDb, membershipIds: string[]): Promise<Map<string, Member['roles']>> => {
  if (membershipIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('role_assignment')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .select([
      'role_assignment.membership_id as membershipId',
      'role.id as roleId',
      'role.name as roleName',
      'role.key as roleKey',
      'role_assignment.branch_id as branchId',
    ])
    .where('role_assignment.membership_id', 'in', membershipIds)
    .orderBy('role_assignment.created_at')
    .orderBy('role_assignment.id')
    .execute()
  const byMember = Map.groupBy(rows, (row) => row.membershipId)
  const shown = ({ roleId, roleName, roleKey, branchId }: (typeof rows)[number]) => ({
    roleId,
    roleName,
    roleKey,
    branchId,
  })
  return new Map([...byMember].map(([id, held]) => [id, held.map(shown)]))
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof memberRows>['execute']>>[number]

const toMember = (row: MemberRow, roles: Member['roles'] = []): Member => ({
  membershipId: row.id,
  userId: row.user_id,
  email: row.email,
  // Somebody who has not accepted has not shared their name with this institute, though another one may know it.
  fullName: row.status === 'invited' ? '' : row.full_name,
  // A disabled account cannot sign in, whatever status the membership has here.
  status: row.account_status === 'disabled' ? 'disabled' : row.status,
  joinedAt: row.joined_at,
  createdAt: row.created_at,
  hasSecondFactor: row.status !== 'invited' && row.has_second_factor,
  roles,
})

const FAMILY: readonly SystemRoleKey[] = ['student', 'guardian']
const STAFF = SYSTEM_ROLES.map(({ key }) => key).filter((key) => !FAMILY.includes(key))

/** Whether the member has a role of those who work here. */
const worksHere = (eb: Conditions) =>
  eb(
    'membership.id',
    'in',
    eb
      .selectFrom('role_assignment')
      .select('role_assignment.membership_id')
      .where('role_assignment.role_id', 'in', (role) =>
        role
          .selectFrom('role')
          .select('role.id')
          .where((of) => of.or([of('role.key', 'is', null), of('role.key', 'in', STAFF)])),
      ),
  )

const memberships = listOf({
  from: memberRows,
  filters: { isFamily: (eb: Conditions, isFamily: boolean) => (isFamily ? eb.not(worksHere(eb)) : worksHere(eb)) },
  order: newestFirst('membership'),
  show: (row) => row,
})

/** Newest first. */
export const listMembers = async (context: Parameters<typeof memberships>[0]): Promise<Page<Member>> => {
  const { data, nextCursor } = await memberships(context)
  const roles = await rolesOf(
    context.db,
    data.map((row) => row.id),
  )
  return { data: data.map((row) => toMember(row, roles.get(row.id))), nextCursor }
}

/** @throws NotFound */
export const readMember = async (db: ScopedDb, id: string): Promise<Member> => {
  const row = found(await memberRows(db).where('membership.id', '=', id).executeTakeFirst())
  return toMember(row, (await rolesOf(db, [id])).get(id))
}

export const memberRecord = recordOf('membership', { read: readMember })

/** What those are called who work here: the name of each account, or its email. */
export const workersCalled = async (whole: ScopedDb, userIds: readonly string[]): Promise<[string, string][]> => {
  if (userIds.length === 0) return []
  const rows = await memberRows(whole)
    .where('membership.user_id', 'in', userIds)
    .where((eb) => worksHere(eb as unknown as Conditions))
    .execute()
  return rows.map(({ user_id: id, full_name: name, email }) => [id, name || email])
}
