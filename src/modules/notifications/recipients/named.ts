import { NotFound } from '#kernel/values/errors.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { ROWS_AT_ONCE } from '#runtime/change/batches.ts'
import type { NewMessage } from '../send-schemas.ts'
import { findMemberIds, findUsers } from './accounts.ts'
import { audienceOf, familiesOf, type Reached, type Sender } from './audience.ts'
import { accountsOf, peopleOf, type Person } from './people.ts'
import { findGuardians, findStudents, type Found } from './records.ts'

// Finds the people whom a request names to send them a message: thousands, so a part at a time.

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
  ({ whole, caller }: Sender, db: ScopedDb): Finder =>
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

/** The records that are named by their ids, of which none is left out. @throws NotFound */
const findByIds = async (
  sender: Sender,
  db: ScopedDb,
  { studentIds, guardianIds, userIds }: NonNullable<NewMessage['recipients']>,
): Promise<Part> => {
  const all: Part = { found: [], left: [] }
  const named: [readonly string[], Finder][] = [
    [studentIds, finderOf((ids) => findStudents(db, ids))],
    [guardianIds, finderOf((ids) => findGuardians(db, ids))],
    [userIds, usersFor(sender, db)],
  ]
  for (const [ids, find] of named) {
    for (const part of parts([...new Set(ids)])) {
      const { found, left } = await find(part)
      const known = new Set([...left, ...found.map(({ id }) => id)])
      if (known.size < part.length) throw NotFound()
      all.found.push(...found)
      all.left.push(...left)
      await letOthersRun()
    }
  }
  return all
}

/**
 * Finds everybody whom a request means, each once.
 * @returns `left`: the ids of members who are not active any more
 * @throws NotFound for a record that the caller does not reach, Forbidden for an audience that is not theirs to know
 */
export const findPeople = async (
  sender: Sender,
  reached: Reached,
  { recipients, audience }: NewMessage,
): Promise<{ people: Person[]; left: string[] }> => {
  // Without the permission nobody is named but by a group; see `reachOf`.
  const { found, left }: Part =
    recipients && reached.office ? await findByIds(sender, reached.office, recipients) : { found: [], left: [] }
  const audiences = [
    ...(recipients?.groupId === undefined ? [] : [familiesOf(recipients.groupId)]),
    ...(audience ? [audience] : []),
  ]
  for (const one of audiences) {
    for await (const part of audienceOf(sender, reached, one)) {
      found.push(...part)
      await letOthersRun()
    }
  }
  const accounts = new Map<string, Found>()
  for (const part of parts(found)) {
    for (const [id, account] of await accountsOf(sender.whole, part)) accounts.set(id, account)
  }
  return { people: peopleOf(accounts, found, sender.tenant.defaultLocale), left }
}
