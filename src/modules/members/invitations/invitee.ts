import * as v from 'valibot'
import type { Locale } from '#shared/locale.ts'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** The details of these refusals: the membership that exists already. */
const details = {
  schema: explained(v.object({ membershipId: v.string() }), { membershipId: 'The membership that there is.' }),
  example: { membershipId: '019cad6a-1c00-7000-8000-000000000000' },
}

export const AlreadyMember = failure(
  'CONFLICT',
  'already_member',
  'This person is a member already: change their roles with PUT /members/{id}/roles.',
  { details },
)
export const AlreadyInvited = failure(
  'CONFLICT',
  'already_invited',
  'This person is invited already: send the invitation again with POST /members/{id}/resend-invitation.',
  { details },
)
export const MemberDisabled = failure(
  'CONFLICT',
  'member_disabled',
  'This person is a disabled member: activate them with PATCH /members/{id}.',
  { details },
)

/** The failures of an invitation to an address that is a member already. */
export const invitingFails = [AlreadyMember, AlreadyInvited, MemberDisabled]

const REFUSALS = { active: AlreadyMember, invited: AlreadyInvited, disabled: MemberDisabled }

export interface InvitedUser {
  id: string
  email: string
  locale: Locale
}

/** Finds the account of that address; undefined: there is none. */
export const findUser = (db: ScopedDb, email: string): Promise<InvitedUser | undefined> =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'locale'])
    .where('email_key', '=', email.toLowerCase())
    .executeTakeFirst()

/** A user's full name; '' for an account without one. */
export const nameOf = async (db: ScopedDb, userId: string): Promise<string> =>
  (await db.selectFrom('user').select('full_name').where('id', '=', userId).executeTakeFirst())?.full_name ?? ''

/** @throws AlreadyMember, AlreadyInvited, MemberDisabled */
export const refuseMember = async (db: ScopedDb, userId: string): Promise<void> => {
  const existing = await db
    .selectFrom('membership')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (existing) throw REFUSALS[existing.status]({ membershipId: existing.id })
}
