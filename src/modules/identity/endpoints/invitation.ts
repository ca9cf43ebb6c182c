import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { AccountDisabled, InvalidInput, type Issue } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { checkNewPassword, NEW_PASSWORD } from '#kernel/who/new-password.ts'
import { id, locale, name, secret } from '#kernel/values/schema.ts'
import type { Locale } from '#shared/locale.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { acceptInvitation, findInvitation, InvitationInvalid } from '#modules/members/index.ts'
import { orTooBusy } from '#ports/passwords/port.ts'
import { emailKey, findAccount, isProven, lockAccount, type Account } from '../accounts.ts'
import { countAddress, type Identity } from '../deps.ts'
import { ownWordsOf } from '../own-words.ts'
import { knownUser } from '../queue-place.ts'
import { takeFromStranger } from '../unconfirmed-account.ts'

const Acceptance = named(
  'InvitationAcceptance',
  v.object({
    token: secret(1),
    password: v.optional(secret(10)),
    fullName: v.optional(name(200)),
    locale: v.optional(locale),
  }),
  {
    password: `${NEW_PASSWORD} Needed where nobody has confirmed the address of the account yet.`,
    fullName:
      'Needed where the account has no name yet and the institute has none on record; left out, the account gets the name on record.',
    locale:
      'The language of the page on which the invitation is accepted: that of an account whose address nobody has confirmed yet.',
  },
)

interface Given {
  passwordHash: string | null
  fullName: string | undefined
  /** The name on record; empty: there is none. */
  recorded: string
  locale: Locale | undefined
}

const required = (field: string, why: string): Issue => ({ path: [field], message: `Is required: ${why}.` })

/**
 * Makes the account belong to the invited person, who got the token by mail at this very address. While the address is
 * unconfirmed, its account may have been registered by a stranger: that stranger's password, sessions and other data
 * end here.
 * @throws VALIDATION_ERROR for missing fields
 */
const claimAccount = async (
  tx: SystemTx,
  account: Account,
  { passwordHash, fullName: given, recorded, locale: language }: Given,
): Promise<void> => {
  const proven = isProven(account)
  const issues: Issue[] = []
  const fullName = given ?? (account.full_name === '' && recorded !== '' ? recorded : undefined)
  if (account.full_name === '' && fullName === undefined) {
    issues.push(required('fullName', 'there is no account with a name yet'))
  }
  if (!proven && passwordHash === null) {
    issues.push(required('password', 'nobody has confirmed the address of this account yet'))
  }
  if (issues.length > 0) throw InvalidInput({ issues })
  if (proven && account.full_name !== '') return
  if (!proven && passwordHash !== null) {
    await takeFromStranger(tx, account, { password_hash: passwordHash, email_verified: true })
  }
  await tx.db
    .updateTable('user')
    .set({ full_name: fullName, ...(!proven && { locale: language }), updated_at: tx.now })
    .where('id', '=', account.id)
    .execute()
}

export const invitationEndpoint = (identity: Identity): Endpoint =>
  openChange({
    id: 'invitations.accept',
    method: 'POST',
    path: '/invitations/accept',
    summary: 'Accept an invitation with the token of its link',
    description:
      'Somebody without an account needs `password` and, unless they were invited from a record with their name, `fullName` (else 422). Somebody with an account keeps their password and name, whatever is sent, unless nobody ever confirmed the address of the account: then `password` is required (422 without), replaces the one that was set and ends its sessions and mailed links; a `fullName` that is sent replaces the name, and the phone number is taken away; `locale` becomes the language of that account, in which messages reach it. It signs nobody in. The address counts as confirmed from then on.',
    access: 'anyone',
    body: Acceptance,
    reply: named('AcceptedInvitation', v.object({ tenantId: id, membershipId: id, userId: id }), {
      userId: 'The account that is a member now.',
    }),
    fails: [InvitationInvalid, AccountDisabled],
    prepare: async ({ body, request, db, everywhere, now }) => {
      await countAddress(identity, request)
      const invitation = await findInvitation(everywhere, body.token, now)
      if (!invitation) throw InvitationInvalid()
      const { userId, email } = invitation
      const recorded = await identity.recordedName(everywhere, invitation)
      if (body.password === undefined) return { userId, recorded, passwordHash: null }
      // A proven account keeps its password. The one in the body is ignored, so it need not be strong.
      const account = await findAccount(db, emailKey(email))
      if (account && !isProven(account)) {
        const own = [...(await ownWordsOf(everywhere, userId)), body.fullName ?? recorded]
        await checkNewPassword(body.password, own, ['password'])
      }
      const passwordHash = await identity.passwords.hash(body.password, knownUser(userId)).catch(orTooBusy)
      return { userId, recorded, passwordHash }
    },
    handle: async ({ tx, body, prepared: { userId, recorded, passwordHash } }) => {
      const account = await lockAccount(tx, userId)
      if (account.status === 'disabled') throw AccountDisabled()
      tx.doneBy(userId)
      const { fullName, locale: language } = body
      await claimAccount(tx, account, { fullName, locale: language, passwordHash, recorded })
      const { tenantId, membershipId } = await acceptInvitation(tx, body.token, identity.onAccepted)
      return { tenantId, membershipId, userId }
    },
  })
