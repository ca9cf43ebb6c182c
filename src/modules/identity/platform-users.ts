import * as v from 'valibot'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { actingUserId } from '#kernel/who/actor.ts'
import { AccountDisabled, failure, found } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { explained, named } from '#kernel/values/named.ts'
import { email, id, ids, locale, name, pageQuery, ts } from '#kernel/values/schema.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { FALLBACK_LOCALE } from '#shared/locale.ts'
import type { SendMail } from '#modules/mail/index.ts'
import { newestFirst, systemListOf, type ListContext } from '#runtime/records/lists.ts'
import { emailKey } from './accounts.ts'
import { mailToken } from './email-tokens.ts'
import { mailChange } from './notices.ts'
import { activeInstitutesOf, soleOwnershipsOf } from './operator.ts'
import { makePlatformAdmin } from './platform-role.ts'
import { provideAccount } from './provide.ts'
import { forgetFactors, hasAnyFactor, OwnSecondFactor, SetItUpFirst } from './second-factor/factor.ts'
import { revokeImpersonations, revokeSessions } from './sessions.ts'
import { disableAccount, enableAccount } from './status.ts'

/** Accounts as platform admins see and change them. */

const status = v.picklist(['active', 'disabled'])

const words = {
  email: 'The address with which they sign in.',
  status: 'disabled: the account cannot sign in.',
  isPlatformAdmin: 'Whether the account manages the platform.',
  hasSecondFactor: 'Whether the account has an app that shows codes, or a passkey.',
}

export const PlatformUser = named(
  'PlatformUser',
  v.object({
    id,
    email: v.string(),
    fullName: v.string(),
    locale,
    status,
    emailVerified: v.boolean(),
    isPlatformAdmin: v.boolean(),
    hasSecondFactor: v.boolean(),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type PlatformUser = v.InferOutput<typeof PlatformUser>

export const PlatformUserQuery = explained(
  pageQuery({
    id: v.optional(ids),
    email: v.optional(email),
    status: v.optional(status),
    isPlatformAdmin: v.optional(v.boolean()),
  }),
  {
    ...words,
    id: 'Only the account with this id, or those with one of several where the parameter is repeated.',
    email: 'The whole address; upper and lower case make no difference.',
  },
)
export const NewPlatformUser = named('NewPlatformUser', v.object({ email, fullName: name(200) }), words)
export const PlatformUserChanges = named('PlatformUserChanges', v.object({ status }), words)

const SHOWN = [
  'id',
  'email',
  'full_name',
  'locale',
  'status',
  'email_verified',
  'is_platform_admin',
  'has_second_factor',
  'created_at',
  'updated_at',
] as const

const toPlatformUser = shows(PlatformUser)

const accounts = systemListOf({
  filters: {
    id: (eb, wanted: readonly string[]) => eb('user.id', 'in', wanted),
    emailKey: 'user.email_key',
    status: 'user.status',
    isPlatformAdmin: 'user.is_platform_admin',
  },
  from: (db) => db.selectFrom('user').select(SHOWN),
  order: newestFirst('user'),
  show: toPlatformUser,
})

/** Newest first. */
export const listPlatformUsers = ({
  query: { email: address, ...query },
  ...context
}: ListContext<OutsideDb> & { query: v.InferOutput<typeof PlatformUserQuery> }) =>
  accounts({ ...context, query: { ...query, emailKey: address && emailKey(address) } })

export const readUser = async (db: OutsideDb, userId: string): Promise<PlatformUser> =>
  toPlatformUser(found(await db.selectFrom('user').select(SHOWN).where('id', '=', userId).executeTakeFirst()))

export const OwnAccount = failure('CONFLICT', 'own_account', 'Nobody can disable their own account.')
export const AlreadyPlatformAdmin = failure(
  'CONFLICT',
  'already_platform_admin',
  'This account is a platform admin already.',
)

/** @throws AlreadyPlatformAdmin, DisabledAccount */
export const addPlatformUser = async (
  tx: SystemTx,
  sendMail: SendMail,
  wanted: v.InferOutput<typeof NewPlatformUser>,
): Promise<PlatformUser> => {
  const { account, needsPassword } = await provideAccount(tx, { ...wanted, locale: FALLBACK_LOCALE })
  const { id: userId } = account
  if (needsPassword) await mailToken(tx, sendMail, 'reset_password', userId)
  if (!(await makePlatformAdmin(tx, userId))) throw AlreadyPlatformAdmin()
  return readUser(tx.db, userId)
}

/** Locks the platform admins, so that two of them cannot disable each other. @returns the ids of the active ones */
const lockPlatformAdmins = async ({ db }: SystemTx): Promise<string[]> => {
  const admins = db.selectFrom('user').select('id').where('is_platform_admin', '=', true).orderBy('id')
  await forNoKeyUpdate(db, admins).execute()
  // Rows that others changed while we waited for the locks show their new status only in a new query.
  return (await admins.where('status', '=', 'active').execute()).map((admin) => admin.id)
}

/** @throws NotFound */
const lockUser = async ({ db }: SystemTx, userId: string) =>
  found(await forNoKeyUpdate(db, db.selectFrom('user').selectAll().where('id', '=', userId)).executeTakeFirst())

/**
 * Disables or enables an account. One platform admin at least stays active: the one who asks.
 * @throws NotFound, OwnAccount, AccountDisabled when another platform admin disabled the one who asks meanwhile
 */
export const changePlatformUser = async (
  tx: SystemTx,
  userId: string,
  wanted: v.InferOutput<typeof PlatformUserChanges>,
): Promise<PlatformUser> => {
  const admins = await lockPlatformAdmins(tx)
  const account = await lockUser(tx, userId)
  if (wanted.status === 'active') {
    await enableAccount(tx, account)
    return readUser(tx.db, userId)
  }
  const self = actingUserId(tx.actor)
  if (userId === self) throw OwnAccount()
  if (!admins.some((admin) => admin === self)) throw AccountDisabled()
  const left = await soleOwnershipsOf(tx, userId)
  const metadata = { leftWithoutOwner: left.map(({ slug }) => slug) }
  await disableAccount(tx, account, left.length > 0 ? { metadata } : {})
  return readUser(tx.db, userId)
}

/**
 * Takes away what somebody lost beside their password: the app with its recovery codes, and the passkeys. Their sessions
 * end, and those in which they impersonate others. It stands in the log of the platform, and in that of each institute
 * that they work in.
 * @throws NotFound, OwnSecondFactor, SetItUpFirst; AccountDisabled when another platform admin disabled the one who asks
 */
export const resetUserSecondFactor = async (
  tx: SystemTx,
  sendMail: SendMail,
  userId: string,
): Promise<PlatformUser> => {
  const self = actingUserId(tx.actor)
  if (userId === self) throw OwnSecondFactor()
  const admins = await lockPlatformAdmins(tx)
  await lockUser(tx, userId)
  if (!admins.some((admin) => admin === self)) throw AccountDisabled()
  if (!(await hasAnyFactor(tx.db, userId))) throw SetItUpFirst()
  await forgetFactors(tx, userId)
  const endedSessions = await revokeSessions(tx, userId)
  await revokeImpersonations(tx, userId)
  await mailChange(tx, sendMail, { userId, change: 'second_factor_reset' })
  const note = { entityType: 'user', entityId: userId, metadata: { endedSessions } }
  tx.audit(note)
  for (const tenant of await activeInstitutesOf(tx, userId)) tx.inTenant(tenant).audit(note)
  return readUser(tx.db, userId)
}
