import type { SelectQueryBuilder } from 'kysely'
import type { Locale } from '#shared/locale.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure, found, invalid } from '#kernel/values/errors.ts'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import {
  admitInviter,
  countInvitation,
  invitedTo,
  inviteMember,
  systemRoleId,
  type Accepted,
  type BeforeInviting,
  type Invitation,
  type InvitedRole,
  type Inviting,
} from '#modules/members/index.ts'
import { acceptedAccount } from '../account.ts'
import { refuseErased } from '../erased.ts'
import { addAccepted } from '../staff/accepted.ts'

export const PersonHasAccount = failure(
  'CONFLICT',
  'person_has_account',
  'An account stands behind this record already.',
)

/** The kinds of people who can be invited to an account of their own. */
const INVITABLE = ['student', 'guardian', 'staff'] as const
export type Invitable = (typeof INVITABLE)[number]

interface Invited {
  kind: Invitable
  id: string
  /** Replaces the record's email. */
  email: string | undefined
  /** What a member of the staff is to be; undefined: what the kind is, and of the staff a teacher. */
  roleId?: string | undefined
  branchIds?: string[] | undefined
}

/** @throws NotFound, PersonHasAccount, VALIDATION_ERROR */
const addressOf = (
  person: { email: string | null; user_id: string | null } | undefined,
  { email }: Invited,
): string => {
  const { user_id: userId, email: own } = found(person)
  if (userId !== null) throw PersonHasAccount()
  const address = email ?? own
  if (address === null) throw invalid(['email'], 'Is required: the record has none.')
  return address
}

/** The records of a kind. */
const rowsOf = (db: ScopedDb, kind: Invitable): SelectQueryBuilder<Tables, Invitable, object> =>
  kind === 'student'
    ? db.selectFrom('student')
    : kind === 'guardian'
      ? db.selectFrom('guardian')
      : db.selectFrom('staff')

const roleOf = async (whole: ScopedDb, { kind, roleId, branchIds }: Invited): Promise<InvitedRole> => ({
  roleId: roleId ?? (await systemRoleId(whole, kind === 'staff' ? 'teacher' : kind)),
  ...(branchIds && { branchIds }),
})

const personRow = (db: ScopedDb, { kind, id }: Invited) =>
  rowsOf(db, kind).select(['email', 'user_id']).where('id', '=', id)

/** @throws PersonErased */
const refuseErasedPerson = async (db: ScopedDb, { kind, id }: Invited): Promise<void> => {
  if (kind === 'staff') return
  const row =
    kind === 'student'
      ? await db.selectFrom('student').select('erased_at').where('id', '=', id).executeTakeFirst()
      : await db.selectFrom('guardian').select('erased_at').where('id', '=', id).executeTakeFirst()
  refuseErased(found(row))
}

/** The language in which a record says that its person is written to; undefined: it says none. */
const languageOf = async ({ whole }: Tx, { kind, id }: Invited): Promise<Locale | undefined> =>
  kind !== 'guardian'
    ? undefined
    : (await whole.selectFrom('guardian').select('preferred_locale').where('id', '=', id).executeTakeFirst())
        ?.preferred_locale

/**
 * Makes all checks of the invitation, then counts its mail. @throws PersonErased, what invitePerson throws, Forbidden, RATE_LIMITED
 */
export const admitPerson = async (
  inviting: Inviting,
  context: BeforeInviting & { whole: ScopedDb },
  invited: Invited,
): Promise<void> => {
  await admitInviter(context)
  await refuseErasedPerson(context.db, invited)
  const email = addressOf(await personRow(context.db, invited).executeTakeFirst(), invited)
  const assignments = invitedTo(await roleOf(context.whole, invited))
  await countInvitation(inviting, context, { email, assignments })
}

/**
 * Invites somebody like POST /members, with the role of their kind; `email` replaces the record's.
 * @throws NotFound, PersonHasAccount, VALIDATION_ERROR without an email, and whatever inviteMember throws
 */
export const invitePerson = async (
  tx: Tx,
  by: { caller: Caller; inviting: Inviting },
  invited: Invited,
): Promise<Invitation> => {
  const { kind, id } = invited
  const email = addressOf(await forNoKeyUpdate(tx.db, personRow(tx.db, invited)).executeTakeFirst(), invited)
  await refuseErasedPerson(tx.db, invited)
  const { membershipId, invitation } = await inviteMember(tx, by, {
    email,
    locale: await languageOf(tx, invited),
    ...(await roleOf(tx.whole, invited)),
  })
  await tx.whole
    .insertInto('person_invitation')
    .values({
      membership_id: membershipId,
      student_id: kind === 'student' ? id : null,
      guardian_id: kind === 'guardian' ? id : null,
      staff_id: kind === 'staff' ? id : null,
    })
    .execute()
  return invitation
}

const hasRecord = async ({ whole }: Tx, kind: Invitable, userId: string): Promise<boolean> =>
  (await rowsOf(whole, kind).select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined

/** Sets the account of a record that has none. @returns whether it was set */
const link: Record<Invitable, (tx: Tx, id: string, userId: string) => Promise<boolean>> = {
  student: async ({ whole, now }, id, userId) => {
    const { numUpdatedRows } = await whole
      .updateTable('student')
      .set((eb) => ({ user_id: acceptedAccount(userId), updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('user_id', 'is', null)
      .where('erased_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
  guardian: async ({ whole, now }, id, userId) => {
    const { numUpdatedRows } = await whole
      .updateTable('guardian')
      .set({ user_id: acceptedAccount(userId), updated_at: now })
      .where('id', '=', id)
      .where('user_id', 'is', null)
      .where('erased_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
  staff: async ({ whole, now }, id, userId) => {
    const { numUpdatedRows } = await whole
      .updateTable('staff')
      .set((eb) => ({ user_id: acceptedAccount(userId), updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('user_id', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
}

/**
 * Links the account of somebody who has just accepted an invitation to the record for which they were invited. If that
 * record has another account by now, or the account another record, nothing changes. Who was invited to the staff gets a
 * record of their own there.
 */
export const linkPerson = async (
  tx: Tx,
  { membershipId, userId, joinsStaff }: Pick<Accepted, 'membershipId' | 'userId' | 'joinsStaff'>,
): Promise<void> => {
  const { whole } = tx
  if (joinsStaff) await addAccepted(tx, { membershipId, userId })
  const wanted = await whole
    .selectFrom('person_invitation')
    .select(['student_id', 'guardian_id', 'staff_id'])
    .where('membership_id', '=', membershipId)
    .executeTakeFirst()
  if (!wanted) return
  const kind = INVITABLE.find((one) => wanted[`${one}_id`] !== null)
  const id = kind && wanted[`${kind}_id`]
  if (!kind || !id) return
  // Lock the record before the rows that refer to it: a delete of the record locks in this order.
  await forNoKeyUpdate(whole, rowsOf(whole, kind).select('id').where('id', '=', id)).execute()
  await whole.deleteFrom('person_invitation').where('membership_id', '=', membershipId).execute()
  if (await hasRecord(tx, kind, userId)) return
  if (await link[kind](tx, id, userId))
    tx.audit({ entityType: kind, entityId: id, before: { userId: null }, after: { userId } })
}
