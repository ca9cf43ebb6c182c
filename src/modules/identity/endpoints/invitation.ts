import * as v from 'valibot'
import { openChange, type Endpoint } from '#kernel/endpoint.ts'
import { AccountDisabled } from '#kernel/errors.ts'
import { id, secret, text } from '#kernel/schema.ts'
import { acceptInvitation, findInvitation, InvitationInvalid } from '#modules/members/index.ts'
import { orTooBusy } from '#ports/passwords/port.ts'
import { lockAccount } from '../accounts.ts'
import { countAddress, type Identity } from '../deps.ts'
import { revokeSessions } from '../sessions.ts'

const Acceptance = v.object({
  token: secret(1),
  password: v.optional(secret(10)),
  fullName: v.optional(text(200)),
})

export const invitationEndpoint = (identity: Identity): Endpoint =>
  openChange({
    id: 'invitations.accept',
    method: 'POST',
    path: '/invitations/accept',
    summary: 'Accept an invitation with the token of its link',
    description:
      'Somebody without an account needs `password` and `fullName` (else 422). Somebody with an account keeps their password and name, with one exception: where nobody ever confirmed the address of the account, a password that is sent replaces the one that was set, and its sessions end. It signs nobody in. The address counts as confirmed from then on.',
    access: 'anyone',
    body: Acceptance,
    reply: v.object({ tenantId: id, membershipId: id, userId: id }),
    fails: [InvitationInvalid, AccountDisabled],
    prepare: async ({ body, request, db, now }) => {
      await countAddress(identity, request)
      const invitation = await findInvitation(db, body.token, now)
      if (!invitation) throw InvitationInvalid()
      return {
        userId: invitation.userId,
        passwordHash:
          body.password === undefined ? null : await identity.passwords.hash(body.password).catch(orTooBusy),
      }
    },
    handle: async ({ tx, body, prepared: { userId, passwordHash } }) => {
      const account = await lockAccount(tx, userId)
      if (account.status === 'disabled') throw AccountDisabled()
      const { tenantId, membershipId } = await acceptInvitation(
        tx,
        { token: body.token, passwordHash, fullName: body.fullName },
        identity.onAccepted,
      )
      // Whoever registered the address without owning it must not come in with the invited.
      if (account.password_hash !== null && !account.email_verified && passwordHash !== null) {
        await tx.db.updateTable('user').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
        await revokeSessions(tx, userId)
      }
      return { tenantId, membershipId, userId }
    },
  })
