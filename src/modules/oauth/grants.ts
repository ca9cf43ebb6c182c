import * as v from 'valibot'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import { newId } from '#kernel/basics/ids.ts'
import { named } from '#kernel/values/named.ts'
import { id, list, orNull, ts } from '#kernel/values/schema.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import type { SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { openSession } from '#modules/identity/index.ts'
import type { PageQuery } from '#runtime/records/cursors.ts'
import { everywhereListOf, newestFirst, usedByFrom } from '#runtime/records/lists.ts'
import type { OAuth } from './deps.ts'
import type { OAuthClient } from './documents.ts'
import type { UsersInstitute } from './institutes.ts'

/** How long an authorization code is good. */
const CODE_SECONDS = 60

export interface NewGrant {
  userId: string
  institute: UsersInstitute
  client: OAuthClient
  redirectUri: string
  codeChallenge: string
  scope: string
  resource: string
  ip: string
  userAgent: string | null
  /** Of the session in which it was allowed: the assistant comes no further than that. */
  hasSecondFactor: boolean
}

/**
 * Opens a grant, and with it the session in which its tokens live. The authorization code is the first token of that
 * family: exchanging it is the first rotation, and a second use is noticed as for every other token.
 * @returns the code
 */
export const openGrant = async (
  tx: SystemTx,
  { codes, sessionLifetime }: OAuth,
  { userId, institute, client, redirectUri, codeChallenge, scope, resource, ip, userAgent, hasSecondFactor }: NewGrant,
): Promise<string> => {
  const { tenant, membershipId } = institute
  const grantId = newId()
  const code = codes.make(grantId)
  await openSession(
    tx,
    {
      sessionId: grantId,
      refreshToken: code,
      userId,
      tenantId: tenant.id,
      client: 'mcp',
      ip,
      userAgent,
      hasSecondFactor,
    },
    // Nobody exchanged the code: the session expires with it, and is swept like any other.
    { ...sessionLifetime, slidingSeconds: CODE_SECONDS },
  )
  const inTenant = tx.inTenant(tenant)
  await inTenant.whole
    .insertInto('oauth_grant')
    .values({
      id: grantId,
      user_id: userId,
      membership_id: membershipId,
      client_id: client.clientId,
      client_name: client.name,
      client_uri: client.uri,
      redirect_uri: redirectUri,
      code_challenge: codeChallenge,
      scope,
      resource,
      redeemed_at: null,
      ended_at: null,
      created_at: tx.now,
    })
    .execute()
  inTenant.audit({
    entityType: 'oauth_grant',
    entityId: grantId,
    after: { id: grantId, userId, membershipId, clientId: client.clientId, clientName: client.name, redirectUri },
  })
  return code
}

/** A grant that was not ended, with whom it is for. */
export const findGrant = (db: SystemDb, grantId: string) =>
  db
    .selectFrom('oauth_grant')
    .select([
      'id',
      'tenant_id as tenantId',
      'user_id as userId',
      'membership_id as membershipId',
      'client_id as clientId',
      'redirect_uri as redirectUri',
      'code_challenge as codeChallenge',
      'scope',
      'resource',
    ])
    .where('id', '=', grantId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

export type FoundGrant = NonNullable<Awaited<ReturnType<typeof findGrant>>>

/** Notes that the code of a grant was exchanged: from now on it is listed. */
export const noteRedeemed = async ({ whole, now }: Tx, grantId: string): Promise<void> => {
  await whole.updateTable('oauth_grant').set({ redeemed_at: now }).where('id', '=', grantId).execute()
}

/** Ends a grant: its tokens are refused from the next request on. @returns whether it had not ended before */
export const endGrant = async (
  tx: Tx,
  grantId: string,
  whose: { userId?: string; membershipId?: string },
): Promise<boolean> => {
  let query = tx.whole
    .updateTable('oauth_grant')
    .set({ ended_at: tx.now })
    .where('id', '=', grantId)
    .where('redeemed_at', 'is not', null)
    .where('ended_at', 'is', null)
  if (whose.userId !== undefined) query = query.where('user_id', '=', whose.userId)
  if (whose.membershipId !== undefined) query = query.where('membership_id', '=', whose.membershipId)
  const ended = await query.returning(['client_id', 'client_name', 'user_id']).executeTakeFirst()
  if (!ended) return false
  tx.audit({
    entityType: 'oauth_grant',
    entityId: grantId,
    before: { id: grantId, userId: ended.user_id, clientId: ended.client_id, clientName: ended.client_name },
  })
  return true
}

const WORDS = {
  clientName: 'What the assistant calls itself.',
  clientUri: 'Its page; null: it named none.',
  tenantId: 'The institute in which it acts.',
  tenantName: 'What the institute is called.',
  scopes: 'What it was allowed. The rights are those of the member, whatever stands here.',
  createdAt: 'When it was allowed.',
  lastUsedAt: 'When it got an access token last, which lasts a quarter of an hour.',
}

export const AssistantGrant = named(
  'AssistantGrant',
  v.object({
    id,
    clientName: v.string(),
    clientUri: orNull(v.string()),
    tenantId: id,
    tenantName: v.string(),
    scopes: list(v.string()),
    createdAt: ts,
    lastUsedAt: ts,
  }),
  WORDS,
)

export const MemberAssistantGrant = named(
  'MemberAssistantGrant',
  v.object({ ...AssistantGrant.entries, membershipId: id, memberName: v.string() }),
  {
    ...WORDS,
    membershipId: 'The member in whose name it acts.',
    memberName: 'What they are called; their email while they have no name.',
  },
)

const shownGrants = (db: SystemDb) =>
  db
    .selectFrom('oauth_grant')
    .innerJoin('auth_session', 'auth_session.id', 'oauth_grant.id')
    .innerJoin('tenant', 'tenant.id', 'oauth_grant.tenant_id')
    .select([
      'oauth_grant.id',
      'oauth_grant.client_name',
      'oauth_grant.client_uri',
      'oauth_grant.tenant_id',
      'tenant.name as tenant_name',
      'oauth_grant.scope',
      'oauth_grant.created_at',
      'auth_session.last_used_at',
    ])
    .where('oauth_grant.redeemed_at', 'is not', null)
    .where('oauth_grant.ended_at', 'is', null)
    .where('auth_session.revoked_at', 'is', null)

type ShownRow = Awaited<ReturnType<ReturnType<typeof shownGrants>['execute']>>[number]

const show = (row: ShownRow): v.InferOutput<typeof AssistantGrant> => ({
  id: row.id,
  clientName: row.client_name,
  clientUri: row.client_uri,
  tenantId: row.tenant_id,
  tenantName: row.tenant_name,
  scopes: row.scope.split(' '),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

const grantsOfUser = everywhereListOf({
  filters: { userId: usedByFrom, now: usedByFrom },
  from: (db, { userId, now }) =>
    shownGrants(db)
      .where('oauth_grant.user_id', '=', userId as string)
      .where('auth_session.expires_at', '>', now as string),
  order: newestFirst('oauth_grant'),
  show,
})

const grantsOfMember = everywhereListOf({
  filters: { tenantId: usedByFrom, membershipId: usedByFrom, now: usedByFrom },
  from: (db, { tenantId, membershipId, now }) =>
    shownGrants(db)
      .where('oauth_grant.tenant_id', '=', tenantId as string)
      .where('oauth_grant.membership_id', '=', membershipId as string)
      .where('auth_session.expires_at', '>', now as string),
  order: newestFirst('oauth_grant'),
  show,
})

const grantsOfInstitute = everywhereListOf({
  filters: { tenantId: usedByFrom, now: usedByFrom },
  from: (db, { tenantId, now }) =>
    shownGrants(db)
      .innerJoin('user', 'user.id', 'oauth_grant.user_id')
      .select(['oauth_grant.membership_id', 'user.full_name', 'user.email'])
      .where('oauth_grant.tenant_id', '=', tenantId as string)
      .where('auth_session.expires_at', '>', now as string),
  order: newestFirst('oauth_grant'),
  show: (row) => ({ ...show(row), membershipId: row.membership_id, memberName: row.full_name || row.email }),
})

interface ListContext {
  db: SystemDb
  cursors: Cursors
  query: PageQuery
  now: string
}

/** The assistants that act for a user, newest first. */
export const listGrantsOfUser = (context: ListContext, userId: string) =>
  grantsOfUser({ ...context, query: { ...context.query, userId, now: context.now } })

/** The assistants that act for a member in an institute, newest first. */
export const listGrantsOfMember = (
  context: ListContext,
  { tenantId, membershipId }: { tenantId: string; membershipId: string },
) => grantsOfMember({ ...context, query: { ...context.query, tenantId, membershipId, now: context.now } })

/** The assistants that act for anybody in an institute, newest first. */
export const listGrantsOfInstitute = (context: ListContext, tenantId: string) =>
  grantsOfInstitute({ ...context, query: { ...context.query, tenantId, now: context.now } })
