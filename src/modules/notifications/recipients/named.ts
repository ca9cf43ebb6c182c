import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { NotFound } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { ROWS_AT_ONCE } from '#runtime/change/batches.ts'
import { checkReached } from '#runtime/records/records.ts'
import { groupSlice } from '../events/groups.ts'
import type { NewMessage } from '../schemas.ts'
import { findMemberIds, findUsers } from './accounts.ts'
import { accountsOf, peopleOf, type Person } from './people.ts'
import { findGuardians, findStudents, type Found } from './records.ts'

// Finds the people whom a request names to send them a message: thousands, so a part at a time.

export interface RequestContext {
  /** What the caller reaches. */
  db: ScopedDb
  whole: ScopedDb
  tenant: TenantInfo
  caller: Caller
}

interface Part {
  found: Found[]
  /** The ids of members who are not active any more. */
  left: string[]
}

type Finder = (ids: readonly string[]) => Promise<Part>

/** A finder of records that have no account to leave. */
const finderOf =
  (find: (ids: readonly string[]) => Promise<Found[]>): Finder =>
  async (ids) => ({ found: await find(ids), left: [] })

/** The accounts of which the caller reaches a student, guardian or staff record, each with the branch of that record. */
const reachedUsers = async (db: ScopedDb, ids: readonly string[]): Promise<Map<string, string | null>> => {
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

/** Finds the members whom the caller reaches. Whoever may send to the whole institute reaches all of them. */
const usersFor =
  ({ db, whole, caller }: RequestContext): Finder =>
  async (ids) => {
    const isAll = caller.grants.reach('notifications.send') === 'all'
    const reached = isAll ? undefined : await reachedUsers(db, ids)
    const users = await findUsers(whole, ids)
    const found = users.flatMap((user) => {
      if (!reached) return [user]
      const branchId = reached.get(user.id)
      return branchId === undefined ? [] : [{ ...user, branchId }]
    })
    const active = new Set(users.map(({ id }) => id))
    const members = await findMemberIds(whole, ids)
    return { found, left: members.filter((id) => !active.has(id) && (!reached || reached.has(id))) }
  }

const parts = function* <T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += ROWS_AT_ONCE) yield all.slice(start, start + ROWS_AT_ONCE)
}

/** Lets other requests run. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Finds everybody whom a request names, each once.
 * @returns `left`: the ids of members who are not active any more
 * @throws NotFound for a record that the caller does not reach
 */
export const findNamed = async (
  context: RequestContext,
  recipients: NewMessage['recipients'],
): Promise<{ people: Person[]; left: string[] }> => {
  const { db, whole, tenant } = context
  const all: Found[] = []
  const allLeft: string[] = []
  const named: [readonly string[], Finder][] = [
    [recipients.studentIds, finderOf((ids) => findStudents(db, ids))],
    [recipients.guardianIds, finderOf((ids) => findGuardians(db, ids))],
    [recipients.userIds, usersFor(context)],
  ]
  for (const [ids, find] of named) {
    for (const part of parts([...new Set(ids)])) {
      const { found, left } = await find(part)
      const known = new Set([...left, ...found.map(({ id }) => id)])
      if (known.size < part.length) throw NotFound()
      all.push(...found)
      allLeft.push(...left)
      await letOthersRun()
    }
  }
  if (recipients.groupId !== undefined) {
    await checkReached(db, 'group', recipients.groupId)
    for (let after: string | null = null, isMore = true; isMore; isMore = after !== null) {
      const slice: Awaited<ReturnType<typeof groupSlice>> = await groupSlice(whole, recipients.groupId, after)
      all.push(...slice.recipients)
      after = slice.next
      await letOthersRun()
    }
  }
  const accounts = new Map<string, Found>()
  for (const part of parts(all)) for (const [id, account] of await accountsOf(whole, part)) accounts.set(id, account)
  return { people: peopleOf(accounts, all, tenant.defaultLocale), left: allLeft }
}
