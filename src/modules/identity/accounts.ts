import * as v from 'valibot'
import { forNoKeyUpdate, refusing } from '#db/dialect.ts'
import type { Locale } from '#shared/locale.ts'
import { failure } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { named } from '#kernel/values/named.ts'
import { id, locale, orNull } from '#kernel/values/schema.ts'
import type { OutsideDb, Queries } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { changesOf, isEmpty } from '#runtime/records/records.ts'

export const UserSummary = named(
  'UserSummary',
  v.object({
    id,
    email: v.string(),
    fullName: v.string(),
    locale,
    status: v.picklist(['active', 'disabled']),
    emailVerified: v.boolean(),
  }),
  {
    status: 'disabled: the account cannot sign in.',
  },
)
export type UserSummary = v.InferOutput<typeof UserSummary>

export const UserProfile = named(
  'UserProfile',
  v.object({
    id,
    email: v.string(),
    fullName: v.string(),
    phone: orNull(v.string()),
    locale,
    avatarFileId: orNull(id),
    status: v.picklist(['active', 'disabled']),
    emailVerified: v.boolean(),
  }),
  {
    status: 'disabled: the account cannot sign in.',
    avatarFileId: 'The picture of the account; null: none.',
    phone: 'A phone number; null: none is known.',
  },
)
export type UserProfile = v.InferOutput<typeof UserProfile>

export const EmailTaken = failure(
  'CONFLICT',
  'email_taken',
  'There is an account with this email address: sign in, or reset its password.',
)

/** The form in which email addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()

export interface NewUser {
  id: string
  email: string
  fullName: string
  locale: Locale
  emailVerified: boolean
  passwordHash: string
}

/** @throws EmailTaken */
export const createUser = async (tx: SystemTx, user: NewUser): Promise<void> => {
  await tx.db
    .insertInto('user')
    .values({
      id: user.id,
      email: user.email,
      email_key: emailKey(user.email),
      full_name: user.fullName,
      phone: null,
      locale: user.locale,
      avatar_file_id: null,
      status: 'active',
      email_verified: user.emailVerified,
      password_hash: user.passwordHash,
      is_platform_admin: false,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .execute()
    .catch(refusing({ unique: { 'user(email_key)': EmailTaken } }))
  const { id: userId, email, fullName, locale: language, emailVerified } = user
  tx.audit({
    entityType: 'user',
    entityId: userId,
    after: { id: userId, email, fullName, locale: language, emailVerified },
  })
}

/** Adds an account without a password, unless its address has one. */
export const insertAccount = async (
  tx: Pick<SystemTx, 'db' | 'id' | 'now'>,
  { email, fullName, locale: language }: Pick<NewUser, 'email' | 'fullName' | 'locale'>,
): Promise<void> => {
  await tx.db
    .insertInto('user')
    .values({
      id: tx.id(),
      email,
      email_key: emailKey(email),
      full_name: fullName,
      phone: null,
      locale: language,
      avatar_file_id: null,
      status: 'active',
      email_verified: false,
      password_hash: null,
      is_platform_admin: false,
      created_at: tx.now,
      updated_at: tx.now,
    })
    // A concurrent transaction may be adding the same address.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** See Inviting.ensureUser in the members module. */
export const ensureUser = async (
  tx: Tx,
  { email, locale: language }: { email: string; locale: Locale },
): Promise<{ id: string; email: string; locale: Locale }> => {
  const account = () =>
    tx.db
      .selectFrom('user')
      .select(['id', 'email', 'locale'])
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst()
  const found = await account()
  if (found) return found
  await insertAccount(tx, { email, fullName: '', locale: language })
  const made = await account()
  if (!made) throw new Error('an account that was just made is not there')
  return made
}

const ACCOUNT = [
  'id',
  'email',
  'email_key',
  'full_name',
  'locale',
  'status',
  'email_verified',
  'password_hash',
  'is_platform_admin',
] as const

export const findAccount = (db: Queries, key: string) =>
  db.selectFrom('user').select(ACCOUNT).where('email_key', '=', key).executeTakeFirst()

/** Locks the account until the transaction ends: nobody can disable it or change its password meanwhile. */
export const lockAccount = ({ db }: SystemTx, userId: string) =>
  forNoKeyUpdate(db, db.selectFrom('user').select(ACCOUNT).where('id', '=', userId)).executeTakeFirstOrThrow()

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/** Sets the password, and invalidates the links that could reset it. */
export const setPassword = async (
  tx: SystemTx,
  userId: string,
  change: { password_hash: string | null; email_verified?: boolean },
): Promise<void> => {
  await tx.db
    .updateTable('user')
    .set({ ...change, updated_at: tx.now })
    .where('id', '=', userId)
    .execute()
  await tx.db.deleteFrom('email_token').where('user_id', '=', userId).where('kind', '=', 'reset_password').execute()
}

/** Whether the account has a password and its owner has confirmed the address. */
export const isProven = ({
  email_verified,
  password_hash,
}: Pick<Account, 'email_verified' | 'password_hash'>): boolean => email_verified && password_hash !== null

const SHOWN = ['id', 'email', 'full_name', 'phone', 'locale', 'avatar_file_id', 'status', 'email_verified'] as const

const toSummary = shows(UserSummary)
const toProfile = shows(UserProfile)

const shownUser = (db: OutsideDb, userId: string) => db.selectFrom('user').select(SHOWN).where('id', '=', userId)

/** A user as the API shows them after sign-in. @throws when there is no such user */
export const userSummary = async (db: OutsideDb, userId: string): Promise<UserSummary> =>
  toSummary(await shownUser(db, userId).executeTakeFirstOrThrow())

export const userProfile = async (db: OutsideDb, userId: string): Promise<UserProfile> =>
  toProfile(await shownUser(db, userId).executeTakeFirstOrThrow())

/** Writes the fields of a user's profile that differ. @returns the profile before and after */
export const changeProfile = async (
  { db, now }: SystemTx,
  userId: string,
  wanted: { [F in 'fullName' | 'phone' | 'locale' | 'avatarFileId']?: UserProfile[F] | undefined },
): Promise<{ before: UserProfile; after: UserProfile }> => {
  const row = await forNoKeyUpdate(db, shownUser(db, userId)).executeTakeFirstOrThrow()
  const before = toProfile(row)
  if (isEmpty(changesOf(row, wanted))) return { before, after: before }
  const { fullName, phone, locale: language, avatarFileId } = wanted
  const changed = await db
    .updateTable('user')
    .set({ full_name: fullName, phone, locale: language, avatar_file_id: avatarFileId, updated_at: now })
    .where('id', '=', userId)
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
  return { before, after: toProfile(changed) }
}

/** Whether the profile of this account shows this file. */
export const isAvatarOf = async (db: OutsideDb, userId: string, fileId: string): Promise<boolean> => {
  const own = db.selectFrom('user').select('id').where('id', '=', userId).where('avatar_file_id', '=', fileId)
  return (await own.executeTakeFirst()) !== undefined
}
