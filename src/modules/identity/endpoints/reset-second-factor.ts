import { openChange, type Endpoint } from '#kernel/contract/endpoint.ts'
import { failure, Forbidden, found } from '#kernel/values/errors.ts'
import { Ok, ok } from '#kernel/values/schema.ts'
import { membershipsOf } from '#modules/members/index.ts'
import { lockAccount } from '../accounts.ts'
import type { Identity } from '../deps.ts'
import { mailChange } from '../notices.ts'
import { forgetFactors, hasAnyFactor, OwnSecondFactor, SetItUpFirst } from '../second-factor/factor.ts'
import { revokeSessions } from '../sessions.ts'
import { sessionOf } from '../sign-in.ts'
import { usableTenant } from '../usable-tenant.ts'

const AccountElsewhere = failure(
  'CONFLICT',
  'account_elsewhere',
  'The account belongs to another institute too, or to a platform admin: a recovery code helps, or a platform admin, or whoever runs the server.',
)

/** What it takes away belongs to no institute, so it stands beside the endpoints of one, and looks for the owner itself. */
export const resetSecondFactorEndpoint = ({ sendMail }: Identity): Endpoint =>
  openChange({
    id: 'members.reset-second-factor',
    method: 'POST',
    path: '/members/{id}/reset-second-factor',
    summary: 'Take away the second factor of a member who lost it',
    description:
      'For owners (403, details.reason owner_only). The app, the recovery codes and the passkeys of the account end, and so do its sessions, with the assistants that act for it; the password stays. The member is mailed. 409 for oneself; for an account that is active in another institute too, or is a platform admin’s, because its safety is not this institute’s alone: there recovery codes help, or a platform admin (POST /platform/users/{id}/reset-second-factor), or `institute user reset-second-factor` on the server; and where there is nothing to take away.',
    access: 'user',
    reply: Ok,
    fails: [OwnSecondFactor, AccountElsewhere, SetItUpFirst],
    handle: async ({ tx, caller, params }) => {
      const tenant = usableTenant(caller)
      if (!tenant) throw Forbidden({ reason: 'tenant_not_selected' })
      if (!caller?.isOwner) throw Forbidden({ reason: 'owner_only' })
      const inside = tx.inTenant(tenant)
      const member = inside.whole.selectFrom('membership').select('user_id').where('id', '=', params.id)
      const { user_id: userId } = found(await member.executeTakeFirst())
      if (userId === sessionOf(caller).userId) throw OwnSecondFactor()
      const account = await lockAccount(tx, userId)
      const elsewhere = (await membershipsOf(tx.everywhere, userId)).some(
        ({ tenantId, status }) => tenantId !== tenant.id && status === 'active',
      )
      if (account.is_platform_admin || elsewhere) throw AccountElsewhere()
      if (!(await hasAnyFactor(tx.db, userId))) throw SetItUpFirst()
      await forgetFactors(tx, userId)
      const endedSessions = await revokeSessions(tx, userId)
      await mailChange(tx, sendMail, { userId, change: 'second_factor_reset' })
      inside.audit({ entityType: 'user', entityId: userId, metadata: { endedSessions } })
      return ok
    },
  })
