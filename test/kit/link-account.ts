import { acceptedAccount } from '#modules/people/account.ts'
import type { TestApp } from './app.ts'

/** Puts an account behind a person, as if its user had accepted the invitation. */
export const linkAccount = (
  { app }: { app: Pick<TestApp['app'], 'database'> },
  table: 'student' | 'guardian' | 'staff',
  { id, userId }: { id: string; userId: string },
): Promise<unknown> =>
  app.database.write((db) =>
    db
      .updateTable(table)
      .set({ user_id: acceptedAccount(userId) })
      .where('id', '=', id)
      .execute(),
  )
