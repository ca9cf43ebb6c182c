import type { SystemDb } from '#kernel/contract/tables.ts'
import type { OwnWords } from '#kernel/who/new-password.ts'
import { membershipsOf } from '#modules/members/index.ts'

/** What the password of an account must not be made of: its name and address, and those of its institutes. */
export const ownWordsOf = async (db: SystemDb, userId: string): Promise<OwnWords> => {
  const account = await db.selectFrom('user').select(['email', 'full_name']).where('id', '=', userId).executeTakeFirst()
  const institutes = await membershipsOf(db, userId)
  return [
    account?.email,
    account?.full_name,
    ...institutes.flatMap(({ tenantName, tenantSlug }) => [tenantName, tenantSlug]),
  ]
}
