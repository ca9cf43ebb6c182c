import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepIdentityJob } from '#modules/identity/jobs.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, cookieOf, emailOf, PASSWORD, refreshByCookie } from '#kit/sign-in.ts'

let app: TestApp
let institute: TestInstitute

const DAY = 24 * 3600

const signIn = async (client: 'web' | 'mobile', userAgent = 'node') => {
  const { userId } = await institute.member({ role: 'student' })
  const reply = await app.send('POST', '/auth/login', {
    body: { email: emailOf(userId), password: PASSWORD, client },
    headers: { 'user-agent': userAgent },
  })
  return {
    userId,
    accessToken: reply.body.accessToken as string,
    refreshToken: (client === 'web' ? cookieOf(reply) : reply.body.refreshToken) as string,
  }
}
const refresh = (refreshToken: string) => app.post('/auth/refresh', { refreshToken })
const codeOf = ({ status, body }: Reply): string => body.error?.code ?? String(status)
const lives = async (accessToken: string) => (await app.as(accessToken).get('/auth/me')).status === 200

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
})
afterAll(() => app.close())

describe('refresh', () => {
  test('mobile: the body brings the token and gets the rotated one', async () => {
    const { refreshToken } = await signIn('mobile')
    const reply = await refresh(refreshToken)
    expect(reply).toMatchObject({ status: 200, body: { accessToken: expect.any(String) } })
    expect(reply.body.refreshToken).toMatch(/^[\w-]{86}$/)
    expect(reply.body.refreshToken).not.toBe(refreshToken)
    expect(cookieOf(reply)).toBeUndefined()
    expect(await lives(reply.body.accessToken)).toBe(true)
    expect((await refresh(reply.body.refreshToken)).status).toBe(200)
  })

  test('web: the cookie brings the token and gets the rotated one; the body holds none', async () => {
    const { refreshToken } = await signIn('web')
    const reply = await refreshByCookie(app, refreshToken)
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.body)).toEqual(['accessToken'])
    expect(cookieOf(reply)).toMatch(/^[\w-]{86}$/)
    expect(reply.headers.get('set-cookie')).toMatch(/path=\/api\/v1\/auth; .*samesite=strict; httponly$/)
    expect((await refreshByCookie(app, cookieOf(reply) as string)).status).toBe(200)
  })

  test('the new access token is for the institute that is selected', async () => {
    const { refreshToken } = await signIn('mobile')
    const { body } = await refresh(refreshToken)
    expect((await app.as(body.accessToken).get('/auth/me')).body.activeTenantId).toBe(institute.tenant.id)
  })

  test('a missing, malformed, forged or foreign token is 401 TOKEN_INVALID', async () => {
    const { refreshToken } = await signIn('mobile')
    const forged = refreshToken.slice(0, -1) + (refreshToken.endsWith('A') ? 'B' : 'A')
    const otherSecret = (refreshToken[40] === 'A' ? 'B' : 'A') + refreshToken.slice(41)
    expect(codeOf(await app.post('/auth/refresh'))).toBe('TOKEN_INVALID')
    expect(codeOf(await app.post('/auth/refresh', {}))).toBe('TOKEN_INVALID')
    for (const token of ['x', `${refreshToken}x`, forged, refreshToken.slice(0, 40) + otherSecret]) {
      expect(codeOf(await refresh(token))).toBe('TOKEN_INVALID')
    }
    expect((await refresh('')).status).toBe(422)
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  test('of 20 concurrent refreshes with one token one is 200', async () => {
    const { refreshToken } = await signIn('mobile')
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => codeOf(reply) === 'SESSION_REVOKED')).toHaveLength(19)
  })

  test('20 tabs at once that share a cookie: one 200, 401 SESSION_REVOKED for the others, and the session lives', async () => {
    const { refreshToken } = await signIn('web')
    const replies = await Promise.all(Array.from({ length: 20 }, () => refreshByCookie(app, refreshToken)))
    const winners = replies.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    expect(replies.filter((reply) => codeOf(reply) === 'SESSION_REVOKED')).toHaveLength(19)
    expect((await refreshByCookie(app, cookieOf(winners[0] as Reply) as string)).status).toBe(200)
  })

  test('leaves an audit entry', async () => {
    const { refreshToken } = await signIn('mobile')
    const before = (await auditOf(app, 'auth.refresh')).length
    await refresh(refreshToken)
    const entries = await auditOf(app, 'auth.refresh')
    expect(entries).toHaveLength(before + 1)
    expect(entries.at(-1)).toMatchObject({ entity_type: 'session', actor_type: 'public' })
  })
})

describe('a rotated refresh token presented again', () => {
  test('is 401 SESSION_REVOKED and ends the family at once, access tokens included', async () => {
    const { accessToken, refreshToken } = await signIn('mobile')
    const { body } = await refresh(refreshToken)
    expect(await lives(body.accessToken)).toBe(true)
    const again = await refresh(refreshToken)
    expect(again).toMatchObject({ status: 401, body: { error: { code: 'SESSION_REVOKED' } } })
    expect(await lives(accessToken)).toBe(false)
    expect(await lives(body.accessToken)).toBe(false)
    expect(codeOf(await refresh(body.refreshToken))).toBe('SESSION_REVOKED')
    expect((await auditOf(app, 'auth.reuse')).at(-1)).toMatchObject({ entity_type: 'session' })
  })

  test('ends the family too when the token was rotated long ago', async () => {
    const { refreshToken } = await signIn('mobile')
    let latest = refreshToken
    for (let turn = 0; turn < 4; turn += 1) latest = (await refresh(latest)).body.refreshToken
    expect(codeOf(await refresh(refreshToken))).toBe('SESSION_REVOKED')
    expect(codeOf(await refresh(latest))).toBe('SESSION_REVOKED')
  })

  test('from the cookie, within 10 s, from the same address and user agent, leaves the family alive', async () => {
    const { refreshToken } = await signIn('web')
    const next = cookieOf(await refreshByCookie(app, refreshToken)) as string
    const after = cookieOf(await refreshByCookie(app, next)) as string
    app.clock.advance(10)
    expect(codeOf(await refreshByCookie(app, refreshToken))).toBe('SESSION_REVOKED')
    expect(codeOf(await refreshByCookie(app, next))).toBe('SESSION_REVOKED')
    expect((await refreshByCookie(app, after)).status).toBe(200)
  })

  test.each<[string, (token: string) => Promise<Reply>]>([
    [
      'after 10 s',
      (token) => {
        app.clock.advance(10.001)
        return refreshByCookie(app, token)
      },
    ],
    ['from the body', (token) => refresh(token)],
    ['from another user agent', (token) => refreshByCookie(app, token, { 'user-agent': 'elsewhere' })],
  ])('%s ends the family', async (_, present) => {
    const { refreshToken } = await signIn('web')
    const next = cookieOf(await refreshByCookie(app, refreshToken)) as string
    expect(codeOf(await present(refreshToken))).toBe('SESSION_REVOKED')
    expect(codeOf(await refreshByCookie(app, next))).toBe('SESSION_REVOKED')
  })

  test('from another address ends the family', async () => {
    const proxied = await startApp({ config: { trustedProxies: 1 } })
    const { userId } = await (await makeInstitute(proxied)).member({ role: 'student' })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const login = await proxied.send('POST', '/auth/login', {
      body: { email: emailOf(userId), password: PASSWORD },
      headers: from('192.0.2.1'),
    })
    const first = cookieOf(login) as string
    const next = cookieOf(await refreshByCookie(proxied, first, from('192.0.2.2'))) as string
    expect(codeOf(await refreshByCookie(proxied, first, from('192.0.2.2')))).toBe('SESSION_REVOKED')
    expect((await refreshByCookie(proxied, next, from('192.0.2.3'))).status).toBe(200)
    expect(codeOf(await refreshByCookie(proxied, next, from('192.0.2.1')))).toBe('SESSION_REVOKED')
    expect((await proxied.as(login.body.accessToken).get('/auth/me')).status).toBe(401)
    await proxied.close()
  })
})

describe('the life of a session', () => {
  test('30 days without a refresh end it: TOKEN_INVALID', async () => {
    const one = await signIn('mobile')
    const other = await signIn('mobile')
    app.clock.advance(30 * DAY - 1)
    expect((await refresh(one.refreshToken)).status).toBe(200)
    app.clock.advance(1)
    expect(codeOf(await refresh(other.refreshToken))).toBe('TOKEN_INVALID')
  })

  test('a session ends 90 days after sign-in, however often it is used', async () => {
    let { refreshToken } = await signIn('web')
    let reply: Reply | undefined
    for (let day = 20; day < 90; day += 20) {
      app.clock.advance(20 * DAY)
      reply = await refreshByCookie(app, refreshToken)
      expect(reply.status).toBe(200)
      refreshToken = cookieOf(reply) as string
    }
    // After 80 days the cookie must not outlive the session either.
    const expires = /expires=([^;]*)/.exec(reply?.headers.get('set-cookie') ?? '')?.[1] as string
    expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(10 * DAY * 1000)
    app.clock.advance(10 * DAY - 1)
    const late = await refreshByCookie(app, refreshToken)
    expect(late.status).toBe(200)
    app.clock.advance(1)
    expect(codeOf(await refreshByCookie(app, cookieOf(late) as string))).toBe('TOKEN_INVALID')
    expect(await lives(late.body.accessToken)).toBe(false)
  })

  test('an access token is valid for 15 minutes', async () => {
    const { accessToken } = await signIn('mobile')
    app.clock.advance(15 * 60 - 1)
    expect(await lives(accessToken)).toBe(true)
    app.clock.advance(1)
    expect(await lives(accessToken)).toBe(false)
  })

  test('both lifetimes can be configured', async () => {
    const short = await startApp({
      config: { accessTokenSeconds: 60, refreshTokenSeconds: 3600, refreshTokenLongestSeconds: 5400 },
    })
    const { userId } = await (await makeInstitute(short)).member({ role: 'student' })
    const { body } = await short.post('/auth/login', {
      email: emailOf(userId),
      password: PASSWORD,
      client: 'mobile',
    })
    short.clock.advance(60)
    expect((await short.as(body.accessToken).get('/auth/me')).status).toBe(401)
    short.clock.advance(3500)
    const next = await short.post('/auth/refresh', { refreshToken: body.refreshToken })
    expect(next.status).toBe(200)
    short.clock.advance(1840)
    expect(codeOf(await short.post('/auth/refresh', { refreshToken: next.body.refreshToken }))).toBe('TOKEN_INVALID')
    await short.close()
  })

  test('a logout wins over a concurrent refresh', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { accessToken, refreshToken } = await signIn('mobile')
      const [refreshed, out] = await Promise.all([refresh(refreshToken), app.as(accessToken).post('/auth/logout')])
      expect(out.status).toBe(200)
      if (refreshed.status === 200) {
        expect(await lives(refreshed.body.accessToken)).toBe(false)
        expect(codeOf(await refresh(refreshed.body.refreshToken))).toBe('SESSION_REVOKED')
      } else {
        expect(codeOf(refreshed)).toBe('SESSION_REVOKED')
      }
    }
  })

  test('a disabled user’s refresh token is 403 ACCOUNT_DISABLED', async () => {
    const { userId, refreshToken } = await signIn('mobile')
    await app.app.database.write((db) =>
      db.updateTable('user').set({ status: 'disabled' }).where('id', '=', userId).execute(),
    )
    expect(await refresh(refreshToken)).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } })
  })

  test('sessions are deleted once their last refresh token has expired', async () => {
    const { userId, refreshToken } = await signIn('mobile')
    const rows = () =>
      app.app.database.read
        .selectFrom('auth_session')
        .select('id')
        .where('user_id', '=', userId)
        .where('client', '=', 'mobile')
        .execute()
    const sweep = async () => {
      await runInTransaction(app.app.runtime, systemAuditContext('test.tick'), async (unit) =>
        unit.system().enqueue(sweepIdentityJob, {}),
      )
      await app.drain()
    }
    app.clock.advance(30 * DAY - 1)
    await sweep()
    expect(await rows()).toHaveLength(1)
    app.clock.advance(1)
    await sweep()
    expect(await rows()).toHaveLength(0)
    expect(codeOf(await refresh(refreshToken))).toBe('TOKEN_INVALID')
  })
})
