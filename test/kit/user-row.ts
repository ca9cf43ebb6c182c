import type { Insertable } from 'kysely'
import type { Tables } from '#kernel/contract/tables.ts'

type NewUser = Insertable<Tables['user']>

/** An account of the kit, whose address is confirmed; its password is PASSWORD of sign-in.ts. */
export const userRow = ({
  now,
  ...account
}: Pick<NewUser, 'id' | 'email' | 'full_name' | 'is_platform_admin'> & { now: string }): NewUser => ({
  ...account,
  email_key: account.email,
  phone: null,
  locale: 'en',
  avatar_file_id: null,
  status: 'active',
  email_verified: true,
  password_hash: 'plain:correct horse',
  created_at: now,
  updated_at: now,
})
