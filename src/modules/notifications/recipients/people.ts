import { compiledByIds, compiledInTenant } from '#db/compiled.ts'
import type { Locale } from '#kernel/locale.ts'
import { isTenantWide, withImplied, type Permission } from '#kernel/permissions.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { fullName } from '#modules/people/index.ts'
import type { RecipientKind } from '../tables.ts'

/** Finds the people whom a message is for. Each function takes the ids of at most a few hundred records. */

/** A person as their record names them, before their account is known. */
export interface Found {
  kind: RecipientKind
  id: string
  userId: string | null
  name: string
  email: string | null
  phone: string | null
  /** null: they never said. */
  locale: Locale | null
  branchId: string | null
  /** The students because of whom they are told. */
  students: readonly string[]
}

/** A person as messages are sent to them. */
export interface Person extends Omit<Found, 'locale'> {
  /** null: they have no active account here. */
  userId: string | null
  /** Their account, active or not: what they chose there holds when they have left, too. */
  accountId: string | null
  locale: Locale
}

const NAME = ['first_name', 'last_name'] as const

interface Row {
  id: string
  user_id: string | null
  first_name: string
  last_name: string
  email: string | null
  phone: string | null
}

/** What the records of students, guardians and staff tell alike. */
const contactOf = <K extends Found['kind']>(kind: K, row: Row) => ({
  kind,
  id: row.id,
  userId: row.user_id,
  name: fullName(row),
  email: row.email,
  phone: row.phone,
})

const studentsById = compiledByIds((db, ids) =>
  db
    .selectFrom('student')
    .select(['id', 'branch_id', 'user_id', 'email', 'phone', ...NAME])
    .where('id', 'in', ids),
)

export const findStudents = async (db: ScopedDb, ids: readonly string[]): Promise<Found[]> =>
  (await studentsById(db, ids)).map((row) => ({
    ...contactOf('student', row),
    locale: null,
    branchId: row.branch_id,
    students: [fullName(row)],
  }))

const guardians = (db: ScopedDb) =>
  db
    .selectFrom('guardian')
    .innerJoin('guardian_link', 'guardian_link.guardian_id', 'guardian.id')
    .innerJoin('student', 'student.id', 'guardian_link.student_id')
    .select(['guardian.id', 'guardian.user_id', 'guardian.first_name', 'guardian.last_name'])
    .select(['guardian.email', 'guardian.phone', 'guardian.preferred_locale', 'guardian_link.is_payer'])
    .select(['student.id as student_id', 'student.branch_id'])
    .select(['student.first_name as student_first_name', 'student.last_name as student_last_name'])
    .orderBy('student.id')
    .orderBy('guardian.id')

type GuardianRow = Awaited<ReturnType<ReturnType<typeof guardians>['execute']>>[number]

/** A guardian, because of one of their children. */
export interface FoundGuardian extends Found {
  studentId: string
  isPayer: boolean
}

const toGuardian = (row: GuardianRow): FoundGuardian => ({
  ...contactOf('guardian', row),
  locale: row.preferred_locale,
  branchId: row.branch_id,
  students: [fullName({ first_name: row.student_first_name, last_name: row.student_last_name })],
  studentId: row.student_id,
  isPayer: row.is_payer,
})

const guardiansByStudent = compiledByIds((db, ids) => guardians(db).where('guardian_link.student_id', 'in', ids))

/** The guardians of the students, once for each of their children. */
export const findGuardiansOf = async (whole: ScopedDb, studentIds: readonly string[]): Promise<FoundGuardian[]> =>
  (await guardiansByStudent(whole, studentIds)).map(toGuardian)

/** Guardians by their own ids, with all their children whom the caller reaches, and those who have none. */
export const findGuardians = async (db: ScopedDb, ids: readonly string[]): Promise<Found[]> => {
  if (ids.length === 0) return []
  const linked = (await guardians(db).where('guardian.id', 'in', ids).execute()).map(toGuardian)
  const known = new Set(linked.map(({ id }) => id))
  const others = ids.filter((id) => !known.has(id))
  if (others.length === 0) return linked
  const alone = await db
    .selectFrom('guardian')
    .select(['id', 'user_id', 'email', 'phone', 'preferred_locale', 'unlinked_branch_id', ...NAME])
    .where('id', 'in', others)
    .execute()
  return [
    ...linked,
    ...alone.map((row): Found => ({
      ...contactOf('guardian', row),
      locale: row.preferred_locale,
      branchId: row.unlinked_branch_id,
      students: [],
    })),
  ]
}

/** Staff who are still active. */
export const findStaff = async (whole: ScopedDb, ids: readonly string[]): Promise<Found[]> => {
  if (ids.length === 0) return []
  const rows = await whole
    .selectFrom('staff')
    .select(['id', 'branch_id', 'user_id', 'email', 'phone', ...NAME])
    .where('id', 'in', ids)
    .where('is_active', '=', true)
    .execute()
  return rows.map((row) => ({ ...contactOf('staff', row), locale: null, branchId: row.branch_id, students: [] }))
}

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

/** The account of a member, active or not, by its id or its address in lower case: one or none. */
export const findAccount = async (
  whole: ScopedDb,
  by: { userId: string } | { emailKey: string },
): Promise<(Pick<Person, 'userId'> & { accountId: string; email: string }) | undefined> => {
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

/** Those of the accounts whose own student, guardian or staff record the caller reaches. */
export const reachedUsers = async (db: ScopedDb, ids: readonly string[]): Promise<Map<string, string | null>> => {
  if (ids.length === 0) return new Map()
  const students = await db.selectFrom('student').select(['user_id', 'branch_id']).where('user_id', 'in', ids).execute()
  const staff = await db.selectFrom('staff').select(['user_id', 'branch_id']).where('user_id', 'in', ids).execute()
  const parents = await db
    .selectFrom('guardian')
    .innerJoin('guardian_link', 'guardian_link.guardian_id', 'guardian.id')
    .innerJoin('student', 'student.id', 'guardian_link.student_id')
    .select(['guardian.user_id', 'student.branch_id'])
    .where('guardian.user_id', 'in', ids)
    .execute()
  return new Map([...parents, ...students, ...staff].map((row) => [row.user_id as string, row.branch_id]))
}

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
  // A teacher reaches groups only.
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

/** The active accounts behind records, by their ids. */
export type Accounts = ReadonlyMap<string, Found>

export const accountsOf = async (whole: ScopedDb, found: readonly Found[]): Promise<Accounts> => {
  const userIds = found.flatMap(({ userId }) => userId ?? [])
  return new Map((await findUsers(whole, userIds)).map((account) => [account.id, account]))
}

/**
 * Turns records into people: somebody with an active account here is that account, whichever record named them, and is
 * written to at the address and in the language of the account. Everybody comes once, with all their children.
 * @param defaultLocale for those who never said in which language
 */
export const peopleOf = (accounts: Accounts, found: readonly Found[], defaultLocale: Locale): Person[] => {
  const people = new Map<string, Person>()
  for (const one of found) {
    const account = one.userId === null ? undefined : accounts.get(one.userId)
    const id = account?.id ?? one.id
    const known = people.get(id)
    people.set(id, {
      kind: account ? 'user' : one.kind,
      id,
      userId: account?.id ?? null,
      accountId: one.userId,
      name: known?.name ?? one.name,
      email: account?.email ?? one.email,
      phone: known?.phone ?? one.phone ?? account?.phone ?? null,
      locale: account?.locale ?? one.locale ?? defaultLocale,
      branchId: known?.branchId ?? one.branchId,
      students: [...new Set([...(known?.students ?? []), ...one.students])],
    })
  }
  return [...people.values()]
}
