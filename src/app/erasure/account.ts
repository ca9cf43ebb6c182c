import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { PersonKind } from '#app/person-file/kept.ts'

/** Roles by which somebody sees nothing but their own records. */
const OWN = new Set(['student', 'guardian'])

export interface Account {
  userId: string
  membershipId: string | null
  /** Whether it is of no use to anybody once this record is erased; otherwise it is only taken off the record. */
  isAlone: boolean
}

/** The account behind a record. @returns undefined: there is none */
export const accountBehind = async (
  whole: ScopedDb,
  kind: PersonKind,
  person: { id: string; user_id: string | null },
): Promise<Account | undefined> => {
  const { id, user_id: userId } = person
  if (userId === null) return undefined
  const membership = whole.selectFrom('membership').select('id').where('user_id', '=', userId)
  const membershipId = (await membership.executeTakeFirst())?.id ?? null
  const roles = whole
    .selectFrom('role_assignment')
    .innerJoin('role', 'role.id', 'role_assignment.role_id')
    .select('role.key')
    .where('role_assignment.membership_id', '=', membershipId)
  const behindOthers = []
  for (const table of ['student', 'guardian', 'staff'] as const) {
    const rows = whole
      .selectFrom(table as 'guardian')
      .select('id')
      .where('user_id', '=', userId)
    behindOthers.push(...(await rows.execute()).filter((row) => table !== kind || row.id !== id))
  }
  const hasOwnAlone = (await roles.execute()).every(({ key }) => key !== null && OWN.has(key))
  return { userId, membershipId, isAlone: hasOwnAlone && behindOthers.length === 0 }
}
