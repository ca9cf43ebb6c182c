import { openChange, read, type Endpoint } from '#kernel/contract/endpoint.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { failure, Forbidden, found, NotFound } from '#kernel/values/errors.ts'
import { Ok, ok, pageOf } from '#kernel/values/schema.ts'
import { holdsMore, rolesOfMembers } from '#modules/members/index.ts'
import type { Identity } from '../deps.ts'
import { listMemberSessions, MemberSession, MemberSessionQuery, revokeInTenant } from '../member-sessions.ts'
import { mailChange } from '../notices.ts'
import { sessionOf } from '../sign-in.ts'
import { usableTenant } from '../usable-tenant.ts'

const OwnSignIn = failure('CONFLICT', 'own_sign_in', 'Your own sign-ins are ended at your account.')
const MayDoMore = failure(
  'FORBIDDEN',
  'may_do_more',
  'This member may do more in the institute than you: an owner can end their sign-ins.',
)

const WHO =
  'For whoever holds members.manage for the whole institute (403). Assistants are among the member’s grants and stay; messages to a browser that is signed out end with it. The member is mailed. 409 for oneself; 403 for a member who may do anything that the caller may not, and for owners where the caller is none.'

/** The institute, and whom the caller wants to sign out of it. @throws Forbidden, NotFound, OwnSignIn, MayDoMore */
const admit = async (tx: SystemTx, caller: Caller | null, membershipId: string) => {
  const tenant = usableTenant(caller)
  if (!caller || !tenant) throw Forbidden({ reason: 'tenant_not_selected' })
  const permissions = ['members.manage' as const]
  const reach = caller.grants.reach('members.manage')
  if (reach === undefined) throw Forbidden({ reason: 'permission_missing', permissions })
  if (reach !== 'all') throw Forbidden({ reason: 'whole_institute_needed', permissions })
  const inside = tx.inTenant(tenant)
  const member = found(
    await inside.whole
      .selectFrom('membership')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .select(['membership.user_id as userId', 'user.full_name as fullName'])
      .where('membership.id', '=', membershipId)
      .executeTakeFirst(),
  )
  if (member.userId === sessionOf(caller).userId) throw OwnSignIn()
  const roles = await rolesOfMembers(inside.whole, [membershipId])
  if (holdsMore(caller, roles.get(membershipId) ?? [])) throw MayDoMore()
  return { inside, tenantId: tenant.id, ...member }
}

/** Sessions belong to no institute, so those who end them stand beside its endpoints, and look for the right themselves. */
export const memberSessionEndpoints = ({ database, sendMail }: Identity): readonly Endpoint[] => [
  read({
    id: 'members.list-sessions',
    path: '/members/sessions',
    summary: 'List where members are signed in',
    description:
      'Sessions that are bound to this institute and can still be used, newest first. Those in other institutes of the same people are not shown, nor those that chose none yet, nor assistants. `ip`, `userAgent` and `lastUsedAt` are of the sign-in or the last refresh.',
    access: 'members.manage',
    wholeTenant: true,
    query: MemberSessionQuery,
    reply: pageOf(MemberSession),
    handle: (context) => listMemberSessions(database.read, context),
  }),
  openChange({
    id: 'members.end-session',
    method: 'DELETE',
    path: '/members/{id}/sessions/{sessionId}',
    summary: 'Sign a member out on one device',
    description: `${WHO} 404 for a session that has ended or is bound to another institute.`,
    access: 'user',
    reply: Ok,
    fails: [OwnSignIn, MayDoMore],
    handle: async ({ tx, caller, params: { id, sessionId } }) => {
      const { inside, tenantId, userId, fullName } = await admit(tx, caller, id)
      const [ended] = await revokeInTenant(tx, { userId, tenantId, sessionId })
      if (!ended) throw NotFound()
      await mailChange(tx, sendMail, { userId, change: 'signed_out' })
      inside.audit({ entityType: 'user', entityId: userId, before: { fullName }, metadata: { sessionId, ...ended } })
      return ok
    },
  }),
  openChange({
    id: 'members.end-sessions',
    method: 'DELETE',
    path: '/members/{id}/sessions',
    summary: 'Sign a member out everywhere in this institute',
    description: `${WHO} Where they are signed in nowhere, nobody is mailed.`,
    access: 'user',
    reply: Ok,
    fails: [OwnSignIn, MayDoMore],
    handle: async ({ tx, caller, params: { id } }) => {
      const { inside, tenantId, userId, fullName } = await admit(tx, caller, id)
      const ended = await revokeInTenant(tx, { userId, tenantId })
      if (ended.length > 0) await mailChange(tx, sendMail, { userId, change: 'signed_out' })
      inside.audit({
        entityType: 'user',
        entityId: userId,
        before: { fullName },
        metadata: { endedSessions: ended.length },
      })
      return ok
    },
  }),
]
