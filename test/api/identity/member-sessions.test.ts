import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '#modules/identity/index.ts'
import { newId } from '#kernel/basics/ids.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { grantTo } from '#kit/oauth.ts'
import { auditOf, emailOf, impersonate, PASSWORD } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { baseUrl: 'https://office.example.org' } })
  institute = await makeInstitute(app, { features: { mcp: true } })
})
afterAll(() => app.close())

const signIn = async ({ userId }: Pick<TestMember, 'userId'>, userAgent = 'app/1.0') => {
  const { body } = await app.send('POST', '/auth/login', {
    body: { email: emailOf(userId), password: PASSWORD, client: 'mobile' },
    headers: { 'user-agent': userAgent },
  })
  return { ...app.as(body.accessToken), refresh: () => app.post('/auth/refresh', { refreshToken: body.refreshToken }) }
}

const codeOf = ({ status, body }: Reply): string =>
  `${status} ${body.error?.code} ${body.error?.details?.reason ?? ''}`.trim()
const sessionsOf = async ({ membershipId }: TestMember, by = institute.owner) =>
  (await by.get(`/members/sessions?membershipId=${membershipId}`)).body.data

/** Puts what somebody is called into the account. */
const callThem = (userId: string, fullName: string) =>
  app.app.database.write((db) => db.updateTable('user').set({ full_name: fullName }).where('id', '=', userId).execute())

describe('the list', () => {
  test('shows the sessions of members that are bound to this institute, and no others', async () => {
    const member = await institute.member({ permissions: ['students.read', 'mcp.access'] })
    await signIn(member, 'Mozilla/5.0 (iPhone)')
    const ended = await signIn(member)
    await ended.post('/auth/logout')
    await grantTo(app, member, institute.tenant.id)
    const elsewhere = await makeInstitute(app)
    const elsewhereId = newId()
    await runInTransaction(app.app.runtime, systemAuditContext('test.sign-in'), (unit) =>
      openSession(
        unit.system(),
        {
          sessionId: elsewhereId,
          refreshToken: newId(),
          userId: member.userId,
          tenantId: elsewhere.tenant.id,
          client: 'web',
          ip: null,
          userAgent: null,
        },
        { slidingSeconds: 3600, longestSeconds: 3600 },
      ),
    )
    const shown = await sessionsOf(member)
    expect(shown).toHaveLength(2)
    expect(shown[0]).toMatchObject({
      membershipId: member.membershipId,
      email: emailOf(member.userId),
      client: 'mobile',
      userAgent: 'Mozilla/5.0 (iPhone)',
      current: false,
      mayEnd: true,
    })
    expect(shown[1].id).toBe(member.sessionId)
    // Somebody who is no member there is not in the list of the other institute, whatever their session says.
    expect((await elsewhere.owner.get('/members/sessions?limit=100')).body.data).toHaveLength(1)
    expect(codeOf(await institute.owner.delete(`/members/${member.membershipId}/sessions/${elsewhereId}`))).toBe(
      '404 NOT_FOUND',
    )
  })

  test('is for whoever manages members of the whole institute', async () => {
    const reader = await institute.member({ permissions: ['members.read'] })
    expect(codeOf(await reader.get('/members/sessions'))).toBe('403 FORBIDDEN permission_missing')
    const manager = await institute.member({ permissions: ['members.manage'] })
    expect((await manager.get('/members/sessions')).status).toBe(200)
  })

  test('is searched by every word of a name or an address, as people write them', async () => {
    const [one, other] = [await institute.member({ role: 'teacher' }), await institute.member({ role: 'teacher' })]
    await callThem(one.userId, 'أحمد Sakhnini')
    await callThem(other.userId, 'أحمد 100% Mansour')
    const found = async (q: string) =>
      (await institute.owner.get(`/members/sessions?q=${encodeURIComponent(q)}`)).body.data.map(
        ({ membershipId }: { membershipId: string }) => membershipId,
      )
    expect(await found('احمد SAKH')).toEqual([one.membershipId])
    expect(await found('احمد')).toEqual([other.membershipId, one.membershipId])
    expect(await found('100% mans')).toEqual([other.membershipId])
    expect(await found(emailOf(one.userId).toUpperCase())).toEqual([one.membershipId])
    expect(await found('احمد nobody')).toEqual([])
  })
})

describe('whoever manages members signs one out', () => {
  test('on one device: at once, and with a mail that says so', async () => {
    const member = await institute.member({ role: 'teacher' })
    await callThem(member.userId, 'Noa Levi')
    const phone = await signIn(member, 'phone')
    const [{ id }] = await sessionsOf(member)
    const path = `/members/${member.membershipId}/sessions/${id}`
    expect(await institute.owner.delete(path)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await phone.get('/auth/me')).status).toBe(401)
    expect((await phone.refresh()).body.error.code).toBe('SESSION_REVOKED')
    expect((await member.get('/auth/me')).status).toBe(200)
    expect(codeOf(await institute.owner.delete(path))).toBe('404 NOT_FOUND')
    expect((await auditOf(app, 'members.end-session')).at(-1)).toMatchObject({
      tenant_id: institute.tenant.id,
      actor_user_id: institute.ownerUserId,
      entity_type: 'user',
      entity_id: member.userId,
      before: { fullName: 'Noa Levi' },
      metadata: { sessionId: id, client: 'mobile', userAgent: 'phone' },
    })
    await app.drain()
    const mails = app.mails.filter(({ to }) => to === emailOf(member.userId))
    expect(mails.map(({ subject }) => subject)).toEqual(['You were signed out'])
  })

  test('everywhere here, and nowhere else; once nobody is there, nothing happens', async () => {
    const member = await institute.member({ role: 'teacher' })
    const other = await institute.member({ role: 'teacher' })
    const phone = await signIn(member)
    const path = `/members/${member.membershipId}/sessions`
    expect((await institute.owner.delete(path)).status).toBe(200)
    expect([(await phone.get('/auth/me')).status, (await member.get('/auth/me')).status]).toEqual([401, 401])
    expect((await other.get('/auth/me')).status).toBe(200)
    expect(await sessionsOf(member)).toEqual([])
    expect((await auditOf(app, 'members.end-sessions')).at(-1)).toMatchObject({
      entity_id: member.userId,
      metadata: { endedSessions: 2 },
    })
    expect((await institute.owner.delete(path)).status).toBe(200)
    await app.drain()
    expect(app.mails.filter(({ to }) => to === emailOf(member.userId))).toHaveLength(1)
    // They come in again with the same password.
    expect((await (await signIn(member)).get('/auth/me')).status).toBe(200)
  })

  test('who may do no more than they: neither an owner, nor somebody with a right that they lack', async () => {
    const manager = await institute.member({ permissions: ['members.manage', 'students.read'] })
    const branch = { branchId: institute.branchId }
    const less = await institute.member({ permissions: ['students.read'], ...branch })
    const more = await institute.member({ permissions: ['students.write'], ...branch })
    const owner = await institute.member({ role: 'owner' })
    for (const member of [more, owner]) {
      expect((await sessionsOf(member, manager))[0].mayEnd).toBe(false)
      const path = `/members/${member.membershipId}/sessions`
      expect(codeOf(await manager.delete(path))).toBe('403 FORBIDDEN may_do_more')
      expect(codeOf(await manager.delete(`${path}/${member.sessionId}`))).toBe('403 FORBIDDEN may_do_more')
      expect((await member.get('/auth/me')).status).toBe(200)
    }
    expect((await sessionsOf(less, manager))[0].mayEnd).toBe(true)
    expect((await manager.delete(`/members/${less.membershipId}/sessions`)).status).toBe(200)
    expect((await institute.owner.delete(`/members/${owner.membershipId}/sessions`)).status).toBe(200)
  })

  test('and is refused for themself, without the right, in another institute, and in somebody’s name', async () => {
    const member = await institute.member({ role: 'teacher' })
    const path = `/members/${member.membershipId}/sessions`
    const [own] = (await institute.owner.get('/members/sessions?limit=100')).body.data.filter(
      ({ current }: { current: boolean }) => current,
    )
    expect(own.mayEnd).toBe(false)
    expect(codeOf(await institute.owner.delete(`/members/${own.membershipId}/sessions/${own.id}`))).toBe(
      '409 CONFLICT own_sign_in',
    )
    expect(codeOf(await institute.owner.delete(`/members/${own.membershipId}/sessions`))).toBe(
      '409 CONFLICT own_sign_in',
    )
    expect(codeOf(await member.delete(path))).toBe('403 FORBIDDEN permission_missing')
    const limited = await institute.member({ permissions: ['members.manage'], branchId: institute.branchId })
    expect((await limited.delete(path)).status).toBe(403)
    const stranger = await makeInstitute(app)
    expect(codeOf(await stranger.owner.delete(path))).toBe('404 NOT_FOUND')
    const visitor = await impersonate(app, { userId: institute.ownerUserId, tenantId: institute.tenant.id })
    expect(codeOf(await visitor.delete(path))).toBe('403 FORBIDDEN impersonated')
    expect((await member.get('/auth/me')).status).toBe(200)
  })
})
