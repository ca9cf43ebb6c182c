import { createHash, randomBytes } from 'node:crypto'
import { newId } from '#kernel/basics/ids.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import type { TestApp } from './app.ts'
import type { Client, Reply } from './client.ts'
import type { TestInstitute } from './institute.ts'

/** A program that asks to act for a member, as the tests play it. */

export const CALLBACK = 'http://127.0.0.1:3000/callback'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a form. A list is sent as several parameters of one name. */
export const sendForm = (
  app: Client,
  path: string,
  fields: Record<string, string | string[] | undefined>,
  headers: Record<string, string> = {},
): Promise<Reply> => {
  const given = Object.entries(fields).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  )
  return app.send('POST', path, { raw: new URLSearchParams(given).toString(), headers: { ...FORM, ...headers } })
}

export const register = (app: Client, metadata: Record<string, unknown> = {}): Promise<Reply> =>
  app.post('//oauth/register', { client_name: 'Helper', redirect_uris: [CALLBACK], ...metadata })

const registered = new WeakMap<Client, Promise<string>>()

/** A client of an app: one for all its tests and examples, because only so many may register. @returns its id */
export const clientOf = (app: Client): Promise<string> => {
  const known = registered.get(app) ?? register(app).then(({ body }) => body.client_id as string)
  registered.set(app, known)
  return known
}

export const newVerifier = (): { verifier: string; codeChallenge: string } => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, codeChallenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The body of POST /oauth/consent. */
export const approval = (clientId: string, tenantId: string, codeChallenge: string) => ({
  approve: true,
  clientId,
  redirectUri: CALLBACK,
  codeChallenge,
  codeChallengeMethod: 'S256',
  tenantId,
})

export interface Asked {
  clientId: string
  verifier: string
  code: string
}

/** A member lets a client in. @returns what the client needs to exchange the code */
export const allow = async (
  app: Client,
  member: Client,
  tenantId: string,
  wanted: Record<string, unknown> = {},
): Promise<Asked> => {
  const clientId = (wanted['clientId'] as string | undefined) ?? (await clientOf(app))
  const { verifier, codeChallenge } = newVerifier()
  const consent = await member.post('/oauth/consent', { ...approval(clientId, tenantId, codeChallenge), ...wanted })
  if (consent.status !== 200) throw new Error(JSON.stringify(consent.body))
  return { clientId, verifier, code: codeIn(consent.body.redirectTo) }
}

export const codeIn = (redirectTo: string): string => new URL(redirectTo).searchParams.get('code') as string

/** Exchanges a code. */
export const exchange = (
  app: Client,
  { clientId, verifier, code }: Asked,
  more: Record<string, string | string[] | undefined> = {},
): Promise<Reply> =>
  sendForm(app, '//oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    ...more,
  })

export const refreshGrant = (
  app: Client,
  clientId: string,
  refreshToken: string,
  more: Record<string, string | string[] | undefined> = {},
): Promise<Reply> =>
  sendForm(app, '//oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  })

export interface TestGrant {
  clientId: string
  accessToken: string
  refreshToken: string
}

/** A member lets a client in, which gets its tokens. */
export const grantTo = async (app: Client, member: Client, tenantId: string): Promise<TestGrant> => {
  const asked = await allow(app, member, tenantId)
  const { status, body } = await exchange(app, asked)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { clientId: asked.clientId, accessToken: body.access_token, refreshToken: body.refresh_token }
}

/** Makes a user of another institute a member of this one. @returns the membership */
export const joinInstitute = async (
  { app }: TestApp,
  { tenant, owner }: TestInstitute,
  { userId, permissions }: { userId: string; permissions: Permission[] },
): Promise<string> => {
  const role = await owner.post('/roles', { name: `Role ${newId()}`, permissions })
  const id = newId()
  await runInTransaction(app.runtime, systemAuditContext('test.join'), async (unit) => {
    const { whole, now } = unit.tenant(tenant, 'all')
    const at = { created_at: now, updated_at: now }
    await whole
      .insertInto('membership')
      .values({ id, user_id: userId, status: 'active', joined_at: now, ...at })
      .execute()
    await whole
      .insertInto('role_assignment')
      .values({ id: newId(), membership_id: id, role_id: role.body.id, branch_id: null, created_at: now })
      .execute()
  })
  return id
}
