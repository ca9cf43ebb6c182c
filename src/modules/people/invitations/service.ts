import { locked } from '#db/dialect.ts'
import type { Caller } from '#kernel/actor.ts'
import { failure, invalid, NotFound } from '#kernel/errors.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { inviteMember, type Invitation } from '#modules/members/index.ts'
import '../tables.ts'

export const PersonHasAccount = failure(
  'CONFLICT',
  'person_has_account',
  'An account stands behind this record already.',
)

/** Who may come in with an account of their own. */
export type Invitable = 'student' | 'guardian'

const findPerson = async (tx: Tx, kind: Invitable, id: string) => {
  const query = tx.db.selectFrom(kind).select(['email', 'user_id']).where('id', '=', id)
  const row = await locked(tx.db, query).executeTakeFirst()
  if (!row) throw NotFound()
  return row
}

/** The system role that the institute began with; its name may have changed. */
const roleFor = async ({ whole }: Tx, kind: Invitable): Promise<string> =>
  (await whole.selectFrom('role').select('id').where('key', '=', kind).executeTakeFirstOrThrow()).id

interface Inviting {
  caller: Caller
  sendMail: SendMail
}

/**
 * Invites a student or guardian as POST /members does, with the role of their kind; `email` in place of the record's.
 * @throws NotFound, PersonHasAccount, VALIDATION_ERROR without any email, and whatever inviteMember throws
 */
export const invitePerson = async (
  tx: Tx,
  inviting: Inviting,
  { kind, id, email }: { kind: Invitable; id: string; email: string | undefined },
): Promise<Invitation> => {
  const person = await findPerson(tx, kind, id)
  if (person.user_id !== null) throw PersonHasAccount()
  const address = email ?? person.email
  if (address === null) throw invalid(['email'], 'Is required: the record has none.')
  const { membershipId, invitation } = await inviteMember(tx, inviting, {
    email: address,
    roleId: await roleFor(tx, kind),
  })
  await tx.whole
    .insertInto('person_invitation')
    .values({
      membership_id: membershipId,
      student_id: kind === 'student' ? id : null,
      guardian_id: kind === 'guardian' ? id : null,
    })
    .execute()
  return invitation
}

const standsBehindOne = async ({ whole }: Tx, kind: Invitable, userId: string): Promise<boolean> =>
  (await whole.selectFrom(kind).select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined

/** Whether the record had no account yet, and has this one now. */
const link: Record<Invitable, (tx: Tx, id: string, userId: string) => Promise<boolean>> = {
  student: async ({ whole, now }, id, userId) => {
    const { numUpdatedRows } = await whole
      .updateTable('student')
      .set((eb) => ({ user_id: userId, updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('user_id', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
  guardian: async ({ whole, now }, id, userId) => {
    const { numUpdatedRows } = await whole
      .updateTable('guardian')
      .set({ user_id: userId, updated_at: now })
      .where('id', '=', id)
      .where('user_id', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
}

/**
 * Puts the account of somebody who has just accepted behind the record that they were invited for. Where another stands
 * there by now, or this one behind another record, that stays.
 */
export const linkPerson = async (
  tx: Tx,
  { membershipId, userId }: { membershipId: string; userId: string },
): Promise<void> => {
  const wanted = await tx.whole
    .deleteFrom('person_invitation')
    .where('membership_id', '=', membershipId)
    .returning(['student_id', 'guardian_id'])
    .executeTakeFirst()
  if (!wanted) return
  const kind: Invitable = wanted.student_id === null ? 'guardian' : 'student'
  const id = wanted.student_id ?? wanted.guardian_id
  if (id === null || (await standsBehindOne(tx, kind, userId))) return
  if (await link[kind](tx, id, userId))
    tx.audit({ entityType: kind, entityId: id, before: { userId: null }, after: { userId } })
}
