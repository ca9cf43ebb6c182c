import { plusSeconds } from '#kernel/time/clock.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { SystemTx } from '#kernel/contract/unit-of-work.ts'
import type { ClientDocuments, OAuthClient } from './documents.ts'
import { OAuthClientNotFound, OAuthInvalidRedirectUri } from './failures.ts'
import { isRegistered } from './redirect-uris.ts'

/** A client that nobody allowed anything within this time is forgotten. */
const UNUSED_SECONDS = 24 * 3600
/** Of those that nobody allowed anything, only so many are kept, the newest. */
const MOST_UNUSED = 5000

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const registeredClient = async (db: OutsideDb, clientId: string): Promise<OAuthClient | undefined> => {
  if (!UUID.test(clientId)) return undefined
  const row = await db
    .selectFrom('oauth_client')
    .select(['name', 'uri', 'redirect_uris'])
    .where('id', '=', clientId)
    .executeTakeFirst()
  return row && { clientId, name: row.name, uri: row.uri, redirectUris: row.redirect_uris, verified: false }
}

/**
 * The client of a request for consent. It may fetch the client's document: never call it inside a transaction.
 * @throws OAuthClientNotFound, OAuthInvalidRedirectUri
 */
export const askingClient = async (
  db: OutsideDb,
  documents: ClientDocuments,
  { clientId, redirectUri }: { clientId: string; redirectUri: string },
): Promise<OAuthClient> => {
  const client = (await registeredClient(db, clientId)) ?? (await documents.find(clientId))
  if (!client) throw OAuthClientNotFound()
  if (!isRegistered(redirectUri, client.redirectUris)) throw OAuthInvalidRedirectUri()
  return client
}

/** Keeps a new client. @returns its id */
export const insertClient = async (
  tx: SystemTx,
  { name, uri, redirectUris }: Pick<OAuthClient, 'name' | 'uri' | 'redirectUris'>,
): Promise<string> => {
  const clientId = tx.id()
  await tx.db
    .insertInto('oauth_client')
    .values({ id: clientId, name, uri, redirect_uris: [...redirectUris], used_at: null, created_at: tx.now })
    .execute()
  const beyond = tx.db
    .selectFrom('oauth_client')
    .select('id')
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(100)
    .offset(MOST_UNUSED)
  await tx.db.deleteFrom('oauth_client').where('id', 'in', beyond).execute()
  // Anybody may register, and an audit entry stays for good: it holds no more than says which client came.
  tx.audit({ entityType: 'oauth_client', entityId: clientId, after: { id: clientId, name } })
  return clientId
}

/** Notes that somebody allowed it something. A client with a document is not kept here. */
export const noteUse = async ({ db, now }: SystemTx, { clientId, verified }: OAuthClient): Promise<void> => {
  if (verified) return
  await db.updateTable('oauth_client').set({ used_at: now }).where('id', '=', clientId).execute()
}

/** Deletes clients that nobody uses. @param grantSeconds the longest time that a grant lives */
export const sweepClients = async ({ db, now }: SystemTx, grantSeconds: number): Promise<void> => {
  await db
    .deleteFrom('oauth_client')
    .where('used_at', 'is', null)
    .where('created_at', '<', plusSeconds(now, -UNUSED_SECONDS))
    .execute()
  await db
    .deleteFrom('oauth_client')
    .where('used_at', '<', plusSeconds(now, -(grantSeconds + UNUSED_SECONDS)))
    .execute()
}
