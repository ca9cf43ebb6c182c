import * as v from 'valibot'
import { expressionBuilder, type Expression } from 'kysely'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { ScopedDb, SystemDb, Tables } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import { actingUserId, type Caller } from '#kernel/who/actor.ts'
import { explained, named } from '#kernel/values/named.ts'
import { id, pageQuery, searched, uuid, type Page } from '#kernel/values/schema.ts'
import { holdsMore, rolesOfMembers } from '#modules/members/index.ts'
import { everywhereListOf, newestFirst, usedByFrom, type Conditions } from '#runtime/records/lists.ts'
import { Session, SESSION_COLUMNS, sessionWords, shownSession } from './sessions.ts'

/** Where the members of an institute are signed in: the sessions that are bound to it, and no others of their users. */

export const MemberSession = named(
  'MemberSession',
  v.object({ ...Session.entries, membershipId: id, fullName: v.string(), email: v.string(), mayEnd: v.boolean() }),
  {
    ...sessionWords,
    membershipId: 'The member who is signed in.',
    mayEnd:
      'Whether the caller may end it. false for their own, which are ended at their account; for those of members who may do more; for API keys, and for a platform admin in somebody’s name.',
  },
)
type MemberSession = v.InferOutput<typeof MemberSession>

const filters = { membershipId: v.optional(uuid), q: v.optional(searched(200)) }

export const MemberSessionQuery = explained(pageQuery(filters), {
  membershipId: 'Only those of this member.',
  q: 'Words, each of which is in the name or the address of the member.',
})

/** Letters that people write one for the other, and signs that mean something in a pattern: any character stands for them. */
const ANY_CHARACTER = new RegExp('[\\\\%_اأإآٱىيةه]', 'g')

const patternsOf = (q: string): string[] =>
  [...new Set(q.toLowerCase().split(/\s+/))].map((word) => `%${word.replaceAll(ANY_CHARACTER, '_')}%`)

const lowerName: Expression<string> = expressionBuilder<Tables, 'user'>().fn<string>('lower', ['user.full_name'])

const sessions = everywhereListOf({
  filters: {
    tenantId: usedByFrom,
    now: usedByFrom,
    membershipId: 'membership.id',
    patterns: (eb: Conditions, patterns: readonly string[]) =>
      eb.and(patterns.map((pattern) => eb.or([eb(lowerName, 'like', pattern), eb('user.email_key', 'like', pattern)]))),
  },
  from: (db, { tenantId, now }) =>
    db
      .selectFrom('auth_session')
      .innerJoin('user', 'user.id', 'auth_session.user_id')
      .innerJoin('membership', (join) =>
        join
          .onRef('membership.user_id', '=', 'auth_session.user_id')
          .on('membership.tenant_id', '=', tenantId as string),
      )
      .select(SESSION_COLUMNS)
      .select(['auth_session.user_id', 'membership.id as membership_id', 'user.full_name', 'user.email'])
      .where('auth_session.tenant_id', '=', tenantId as string)
      .where('auth_session.revoked_at', 'is', null)
      .where('auth_session.expires_at', '>', now as string)
      .where('auth_session.impersonator_id', 'is', null)
      .where('auth_session.preview', 'is', null)
      .where('auth_session.client', '!=', 'mcp'),
  order: newestFirst('auth_session'),
  show: (row) => row,
})

interface ListContext {
  caller: Caller
  tenant: { id: string }
  whole: ScopedDb
  now: string
  cursors: Cursors
  query: v.InferOutput<typeof MemberSessionQuery>
}

/** Newest first. */
export const listMemberSessions = async (
  everywhere: SystemDb,
  { caller, tenant, whole, now, cursors, query: { q, ...query } }: ListContext,
): Promise<Page<MemberSession>> => {
  const { data, nextCursor } = await sessions({
    db: everywhere,
    cursors,
    query: { ...query, tenantId: tenant.id, now, patterns: q === undefined ? undefined : patternsOf(q) },
  })
  const roles = await rolesOfMembers(
    whole,
    data.map((row) => row.membership_id),
  )
  const { actor } = caller
  const isInPerson = actor.type === 'user' && actor.impersonatorId === null
  const currentId = actor.type === 'user' ? actor.sessionId : null
  return {
    data: data.map((row) => ({
      ...shownSession(row, currentId),
      membershipId: row.membership_id,
      fullName: row.full_name,
      email: row.email,
      mayEnd:
        isInPerson && row.user_id !== actingUserId(actor) && !holdsMore(caller, roles.get(row.membership_id) ?? []),
    })),
    nextCursor,
  }
}

/** Revokes the sessions that a user has in an institute, or one of them. @returns those that had not ended before */
export const revokeInTenant = (
  { db, now }: SystemTx,
  { userId, tenantId, sessionId }: { userId: string; tenantId: string; sessionId?: string },
) => {
  const live = db
    .updateTable('auth_session')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('tenant_id', '=', tenantId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('impersonator_id', 'is', null)
    // A preview ends with the session from which it was begun.
    .where('preview', 'is', null)
    .where('client', '!=', 'mcp')
  return (sessionId === undefined ? live : live.where('id', '=', sessionId))
    .returning(['client', 'ip', 'user_agent as userAgent'])
    .execute()
}
