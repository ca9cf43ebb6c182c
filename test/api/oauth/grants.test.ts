import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Authenticator } from '#kernel/contract/authenticator.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { allow, exchange, grantTo, refreshGrant, register, sendForm, type TestGrant } from '#kit/oauth.ts'
import { auditOf, impersonate, PASSWORD } from '#kit/sign-in.ts'

const BASE = 'https://office.example.org'

let app: TestApp
let institute: TestInstitute
let tenantId: string
let atMcp: Authenticator

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: BASE } })
  institute = await makeInstitute(app, { features: { mcp: true } })
  tenantId = institute.tenant.id
  atMcp = app.app.modules.find(({ name }) => name === 'oauth')?.mcpAuthenticators?.[0] as Authenticator
})
afterAll(() => app.close())

const newMember = () => institute.member({ permissions: ['students.read', 'mcp.access'] })

/** What MCP sees of an access token: the caller’s permissions and feature; why it is refused; or nobody. */
const seen = async (accessToken: string): Promise<string> => {
  const { database } = app.app.runtime
  const where = { db: database.read, inTransaction: false, locksAccount: false }
  try {
    const caller = await atMcp.authenticate(accessToken, app.clock.now(), where)
    if (!caller) return 'nobody'
    if (!caller.membershipActive || caller.grants.reach('mcp.access') === undefined) return 'forbidden'
    return caller.tenant?.features.mcp ? 'let in' : 'feature off'
  } catch (error) {
    return (error as { spec: { code: string } }).spec.code
  }
}
const refused = async ({ clientId, refreshToken }: TestGrant) => {
  const { status, body } = await refreshGrant(app, clientId, refreshToken)
  return `${status} ${body.error}`
}
const idOf = async (member: Client): Promise<string> => (await member.get('/me/grants')).body.data[0].id
const codeOf = ({ status, body }: Reply): string => `${status} ${body.error?.code}`

describe('a grant is ended', () => {
  test('by its user', async () => {
    const member = await newMember()
    const [kept, ended] = [await grantTo(app, member, tenantId), await grantTo(app, member, tenantId)]
    const id = await idOf(member)
    expect(await member.delete(`/me/grants/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await seen(ended.accessToken), await seen(kept.accessToken)]).toEqual(['nobody', 'let in'])
    expect(await refused(ended)).toBe('400 invalid_grant')
    expect((await member.get('/me/grants')).body.data).toHaveLength(1)
    expect(codeOf(await member.delete(`/me/grants/${id}`))).toBe('404 NOT_FOUND')
    expect((await auditOf(app, 'me.end-grant')).at(-1)).toMatchObject({
      tenant_id: tenantId,
      actor_user_id: member.userId,
      entity_type: 'oauth_grant',
      entity_id: id,
      before: { clientName: 'Helper', userId: member.userId },
    })
  })

  test('by whoever manages members, and by nobody else', async () => {
    const member = await newMember()
    const grant = await grantTo(app, member, tenantId)
    const list = await institute.owner.get(`/members/${member.membershipId}/grants`)
    expect(list.body.data).toMatchObject([{ clientName: 'Helper', tenantId, scopes: ['mcp'] }])
    const { id } = list.body.data[0]
    const other = await newMember()
    const stranger = await makeInstitute(app)
    expect(codeOf(await other.get(`/members/${member.membershipId}/grants`))).toBe('403 FORBIDDEN')
    expect(codeOf(await other.delete(`/members/${member.membershipId}/grants/${id}`))).toBe('403 FORBIDDEN')
    expect(codeOf(await other.delete(`/me/grants/${id}`))).toBe('404 NOT_FOUND')
    expect(codeOf(await stranger.owner.get(`/members/${member.membershipId}/grants`))).toBe('404 NOT_FOUND')
    expect(codeOf(await stranger.owner.delete(`/members/${member.membershipId}/grants/${id}`))).toBe('404 NOT_FOUND')
    expect(codeOf(await institute.owner.delete(`/members/${other.membershipId}/grants/${id}`))).toBe('404 NOT_FOUND')
    expect(await seen(grant.accessToken)).toBe('let in')

    expect((await institute.owner.delete(`/members/${member.membershipId}/grants/${id}`)).status).toBe(200)
    expect(await seen(grant.accessToken)).toBe('nobody')
    expect(await refused(grant)).toBe('400 invalid_grant')
    expect((await institute.owner.get(`/members/${member.membershipId}/grants`)).body.data).toEqual([])
    expect((await auditOf(app, 'members.end-grant')).at(-1)).toMatchObject({ entity_id: id, tenant_id: tenantId })
  })

  test('that whoever manages members finds among those of everybody', async () => {
    const school = await makeInstitute(app, { features: { mcp: true } })
    const member = await school.member({ permissions: ['mcp.access'] })
    await grantTo(app, member, school.tenant.id)
    await grantTo(app, await newMember(), tenantId)
    const list = () => school.owner.get('/assistant-grants')
    const [grant, ...others] = (await list()).body.data
    expect(others).toEqual([])
    expect(grant).toMatchObject({ clientName: 'Helper', scopes: ['mcp'], membershipId: member.membershipId })
    expect(grant.memberName).toEqual(expect.stringMatching(/./))
    expect(codeOf(await member.get('/assistant-grants'))).toBe('403 FORBIDDEN')
    const path = `/members/${grant.membershipId}/grants/${grant.id}`
    expect((await school.owner.delete(path)).status).toBe(200)
    expect((await list()).body.data).toEqual([])
  })

  test('by its client, with either token (RFC 7009), also one that was exchanged', async () => {
    for (const pick of [
      async ({ refreshToken }: TestGrant) => refreshToken,
      async ({ accessToken }: TestGrant) => accessToken,
      async ({ clientId, refreshToken }: TestGrant) => {
        await refreshGrant(app, clientId, refreshToken)
        return refreshToken
      },
    ]) {
      const grant = await grantTo(app, await newMember(), tenantId)
      const token = await pick(grant)
      const { clientId: client_id } = grant
      expect((await sendForm(app, '//oauth/revoke', { client_id, token })).body).toEqual({})
      expect(await seen(grant.accessToken)).toBe('nobody')
      // Once more is no mistake.
      expect((await sendForm(app, '//oauth/revoke', { client_id, token })).status).toBe(200)
    }
  })

  test('not by another client, nor by what is no token here (RFC 7009, 2.1 and 2.2)', async () => {
    const member = await newMember()
    const { clientId, refreshToken, accessToken } = await grantTo(app, member, tenantId)
    const revoke = (fields: Record<string, string | string[]>, headers = {}) =>
      sendForm(app, '//oauth/revoke', fields, headers)
    const other = (await register(app)).body.client_id
    const foreign = await revoke({ client_id: other, token: refreshToken })
    expect(`${foreign.status} ${foreign.body.error}`).toBe('400 invalid_grant')
    for (const token of ['x', `${refreshToken}x`, member.credential as string]) {
      expect((await revoke({ client_id: clientId, token })).status, token).toBe(200)
    }
    for (const fields of [
      { client_id: clientId },
      { token: refreshToken },
      { client_id: clientId, token: [refreshToken, 'x'] },
    ]) {
      const { status, body } = await revoke(fields)
      expect(`${status} ${body.error}`).toBe('400 invalid_request')
    }
    const { status, body } = await revoke({ client_id: clientId, token: refreshToken }, { authorization: 'Basic x' })
    expect(`${status} ${body.error}`).toBe('401 invalid_client')
    expect(await seen(accessToken)).toBe('let in')
    expect((await member.get('/auth/me')).status).toBe(200)
  })

  test('with the account, when every session of it ends, or its password changes (RFC 9700, 4.14.2)', async () => {
    const [first, second] = [await newMember(), await newMember()]
    const grants = [await grantTo(app, first, tenantId), await grantTo(app, second, tenantId)] as const
    await first.post('/auth/logout-all')
    await second.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'another phrase' })
    for (const grant of grants) {
      expect(await seen(grant.accessToken)).toBe('nobody')
      expect(await refused(grant)).toBe('400 invalid_grant')
    }
    expect((await second.get('/me/grants')).body.data).toEqual([])
  })
})

test('an access token is for MCP alone: the API refuses it, and MCP that of a sign-in', async () => {
  const member = await newMember()
  const { accessToken } = await grantTo(app, member, tenantId)
  expect((await app.as(accessToken).get('/auth/me')).status).toBe(401)
  expect((await app.as(accessToken).post('/auth/logout')).status).toBe(401)
  const where = { db: app.app.runtime.database.read, inTransaction: false, locksAccount: false }
  expect(await atMcp.authenticate(accessToken, app.clock.now(), where)).toMatchObject({
    channel: 'mcp',
    id: member.userId,
    tenant: { id: tenantId },
    actor: { type: 'user', membershipId: member.membershipId, impersonatorId: null },
  })
  expect(await seen(member.credential as string)).toBe('nobody')
})

describe('an assistant is refused at its next call', () => {
  const standing = async (member: TestMember, change: () => Promise<unknown>) => {
    const grant = await grantTo(app, member, tenantId)
    const waiting = await allow(app, member, tenantId)
    expect(await seen(grant.accessToken)).toBe('let in')
    await change()
    const exchanged = await exchange(app, waiting)
    return [await seen(grant.accessToken), await refused(grant), `${exchanged.status} ${exchanged.body.error}`]
  }
  const GRANT = '400 invalid_grant'

  test('once the user is disabled', async () => {
    const member = await newMember()
    const disable = () =>
      app.app.database.write((db) =>
        db.updateTable('user').set({ status: 'disabled' }).where('id', '=', member.userId).execute(),
      )
    expect(await standing(member, disable)).toEqual(['ACCOUNT_DISABLED', GRANT, GRANT])
  })

  test('once the membership is disabled, and once it is gone', async () => {
    const [member, leaver] = [await newMember(), await newMember()]
    const disable = () => institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    expect(await standing(member, disable)).toEqual(['forbidden', GRANT, GRANT])
    const remove = () => institute.owner.delete(`/members/${leaver.membershipId}`)
    expect(await standing(leaver, remove)).toEqual(['nobody', GRANT, GRANT])
  })

  test('once the member’s role loses mcp.access', async () => {
    const member = await newMember()
    const change = () => institute.owner.patch(`/roles/${member.roleId}`, { permissions: ['students.read'] })
    expect(await standing(member, change)).toEqual(['forbidden', GRANT, GRANT])
  })

  test('once the feature is off, and is let in again when it is on', async () => {
    const member = await newMember()
    const set = (mcp: boolean) => institute.owner.patch('/feature-flags', { mcp })
    expect(await standing(member, () => set(false))).toEqual(['feature off', GRANT, GRANT])
    await set(true)
    expect(await seen((await grantTo(app, member, tenantId)).accessToken)).toBe('let in')
  })

  test('once the institute is archived', async () => {
    const own = await makeInstitute(app, { features: { mcp: true } })
    const grant = await grantTo(app, own.owner, own.tenant.id)
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', own.tenant.id).execute(),
    )
    expect(await refused(grant)).toBe(GRANT)
  })

  test('with a token that has expired, or is for another address', async () => {
    const member = await newMember()
    const { accessToken } = await grantTo(app, member, tenantId)
    const id = await idOf(member)
    app.clock.advance(901)
    expect(await seen(accessToken)).toBe('nobody')
    const audience = { resource: 'https://elsewhere.example.org/mcp', scope: 'mcp' }
    const foreign = await app.app.tokens.issue({ userId: member.userId, sessionId: id, tenantId, audience })
    expect(await seen(foreign)).toBe('nobody')
    const without = await app.app.tokens.issue({ userId: member.userId, sessionId: id, tenantId })
    expect(await seen(without)).toBe('nobody')
    for (const token of [foreign, accessToken]) expect((await app.as(token).get('/auth/me')).status).toBe(401)
  })
})

test('somebody in the user’s name sees the grants, and ends none', async () => {
  const member = await newMember()
  const { accessToken } = await grantTo(app, member, tenantId)
  const admin = await impersonate(app, { userId: member.userId, tenantId })
  const refusal = await admin.delete(`/me/grants/${await idOf(member)}`)
  expect(refusal).toMatchObject({ status: 403, body: { error: { details: { reason: 'impersonated' } } } })
  expect(await seen(accessToken)).toBe('let in')
})

test('lists are paged, newest first', async () => {
  const [member, owner] = [await newMember(), await institute.member({ role: 'owner' })]
  for (let at = 0; at < 3; at += 1) {
    app.clock.advance(1)
    await grantTo(app, member, tenantId)
  }
  for (const path of ['/me/grants', `/members/${member.membershipId}/grants`]) {
    const as = path === '/me/grants' ? member : owner
    const first = await as.get(`${path}?limit=2`)
    const second = await as.get(`${path}?limit=2&cursor=${first.body.nextCursor}`)
    const all = [...first.body.data, ...second.body.data].map(({ createdAt }) => createdAt)
    expect(all).toHaveLength(3)
    expect(all).toEqual(all.toSorted().toReversed())
  }
})
