import * as v from 'valibot'
import type { Actor } from '#kernel/who/actor.ts'
import { change, openRead, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import { Forbidden, found, NotFound, SubscriptionSuspended, TenantSuspended } from '#kernel/values/errors.ts'
import { content } from '#kernel/values/media.ts'
import { named } from '#kernel/values/named.ts'
import { Ok, ok, orNull } from '#kernel/values/schema.ts'
import type { ScopedDb, SystemDb } from '#kernel/contract/tables.ts'
import { checkNotArchived, checkNotLocked } from '#kernel/who/tenant-state.ts'
import { findTenant } from '#modules/tenants/index.ts'
import type { Vault } from '#runtime/secrets/vault.ts'
import { fileName, idOfFile } from './addresses.ts'
import { calendarOf, DAYS_AHEAD, DAYS_BACK } from './feed.ts'
import { CALENDAR_ADDRESS } from './credentials.ts'

export interface CalendarDeps {
  vault: Vault
  /** The address that an institute's own links begin with. */
  baseUrl: (tenantId: string) => Promise<string>
}

const CalendarAddress = named('CalendarAddress', v.object({ url: orNull(v.string()) }), {
  url: 'A secret: whoever has it sees the member’s sessions. null: the member has no address.',
})

/** @throws FORBIDDEN for a caller who is no member: an API key has no sessions of its own */
const membershipOf = (actor: Actor): string => {
  if (actor.type !== 'user' || actor.membershipId === null) throw Forbidden({ reason: 'user_only' })
  return actor.membershipId
}

const addressOf = (whole: ScopedDb, membershipId: string) =>
  whole.selectFrom('calendar_address').select('id').where('membership_id', '=', membershipId).executeTakeFirst()

/** Whose calendar an address is. @throws NotFound also for somebody who is no active member any more */
const ownerOf = async (everywhere: SystemDb, id: string) =>
  found(
    await everywhere
      .selectFrom('calendar_address')
      .innerJoin('membership', (join) =>
        join
          .onRef('membership.id', '=', 'calendar_address.membership_id')
          .onRef('membership.tenant_id', '=', 'calendar_address.tenant_id'),
      )
      .innerJoin('user', 'user.id', 'membership.user_id')
      .select(['calendar_address.tenant_id', 'membership.id as membershipId', 'user.id as userId', 'user.locale'])
      .where('calendar_address.id', '=', id)
      .where('membership.status', '=', 'active')
      .where('user.status', '=', 'active')
      .executeTakeFirst(),
  )

export const calendarEndpoints = ({ vault, baseUrl }: CalendarDeps): readonly Endpoint[] => {
  const urlOf = async (tenantId: string, id: string): Promise<string> =>
    `${await baseUrl(tenantId)}/calendar/${fileName(vault, id)}`
  return [
    read({
      id: 'me.calendar',
      path: '/me/calendar',
      summary: 'The private address of the caller’s calendar',
      description:
        'For calendar programs that subscribe to an address. It ends when its member signs out everywhere, and with a new password: `url` is null then, until they make another. An API key has no sessions of its own: 403.',
      access: 'tenant',
      credential: CALENDAR_ADDRESS,
      fails: [Forbidden],
      reply: CalendarAddress,
      handle: async ({ whole, caller, tenant }) => {
        const address = await addressOf(whole, membershipOf(caller.actor))
        return { url: address ? await urlOf(tenant.id, address.id) : null }
      },
    }),
    change({
      id: 'me.make-calendar',
      method: 'POST',
      path: '/me/calendar',
      summary: 'Make a new private address of the caller’s calendar',
      description:
        'The former address, if there was one, ends at once: for somebody who gave it to the wrong person. It also ends when its member signs out everywhere, changes or resets the password, or is a member no more: then they make a new one. An API key has no sessions of its own: 403.',
      access: 'tenant',
      fails: [Forbidden],
      credential: CALENDAR_ADDRESS,
      reply: CalendarAddress,
      handle: async ({ tx, caller, tenant }) => {
        const membershipId = membershipOf(caller.actor)
        await tx.whole.deleteFrom('calendar_address').where('membership_id', '=', membershipId).execute()
        const id = tx.id()
        await tx.whole
          .insertInto('calendar_address')
          .values({ id, membership_id: membershipId, created_at: tx.now })
          .execute()
        tx.audit({ entityType: 'calendar_address', entityId: id })
        return { url: await urlOf(tenant.id, id) }
      },
    }),
    change({
      id: 'me.end-calendar',
      method: 'DELETE',
      path: '/me/calendar',
      summary: 'End the private address of the caller’s calendar',
      description: 'Also where there is none. An API key has no sessions of its own: 403.',
      access: 'tenant',
      fails: [Forbidden],
      reply: Ok,
      handle: async ({ tx, caller }) => {
        const ended = await addressOf(tx.whole, membershipOf(caller.actor))
        if (!ended) return ok
        await tx.whole.deleteFrom('calendar_address').where('id', '=', ended.id).execute()
        tx.audit({ entityType: 'calendar_address', entityId: ended.id })
        return ok
      },
    }),
    openRead({
      id: 'calendars.fetch',
      path: '//calendar/{file}',
      summary: 'The sessions of a member, for a calendar program',
      description: `iCalendar (RFC 5545), in the member’s language: the sessions of the last ${DAYS_BACK} days and the next ${DAYS_AHEAD} that the member gives, attends, or whose child attends them, cancelled ones included and marked so. A session that is moved keeps its UID. The address is made by POST /me/calendar; 404 for one that has ended, also with the membership, with a new password and by signing out everywhere.`,
      access: 'anyone',
      secretPath: true,
      params: { file: v.pipe(v.string(), v.maxLength(100), v.description('The private part of the address.')) },
      reply: content(['text/calendar']),
      fails: [NotFound, TenantSuspended, SubscriptionSuspended],
      handle: async ({ params, db, everywhere, inTenant, now }) => {
        const id = idOfFile(vault, params.file)
        if (id === undefined) throw NotFound()
        const { tenant_id: tenantId, userId, membershipId, locale } = await ownerOf(everywhere, id)
        const tenant = found(await findTenant(db, tenantId))
        checkNotArchived(tenant)
        checkNotLocked(tenant, { isChange: false, now })
        const actor: Actor = { type: 'user', userId, membershipId, sessionId: id, impersonatorId: null }
        return calendarOf(inTenant(tenant), { tenant, self: { actor }, locale, now })
      },
    }),
  ]
}
