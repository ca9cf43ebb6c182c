import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { createArgon2Passwords } from '#ports/passwords/argon2.ts'
import { Busy } from '#ports/passwords/port.ts'
import { DEFAULTS } from '#app/config/config.ts'
import { engine, startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { auditOf, cookieOf, emailOf, PASSWORD } from '#kit/sign-in.ts'
import { volume } from '#kit/volume.ts'

let app: TestApp
let institute: TestInstitute
let member: TestMember

const login = (email: string, password = PASSWORD, more: Record<string, unknown> = {}) =>
  app.post('/auth/login', { email, password, ...more })

/** Makes a member of one institute a member of another one too. */
const addMembership = async (
  { tenant }: TestInstitute,
  userId: string,
  status: 'invited' | 'active' | 'disabled' = 'active',
) => {
  await app.app.database.write((db) =>
    db
      .insertInto('membership')
      .values({
        id: newId(),
        tenant_id: tenant.id,
        user_id: userId,
        status,
        joined_at: null,
        created_at: app.clock.now(),
        updated_at: app.clock.now(),
      } as never)
      .execute(),
  )
}

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  member = await institute.member({ permissions: ['students.write', 'courses.read'] })
})
afterAll(() => app.close())

describe('login', () => {
  test('returns tokens, user, memberships and the selected institute, because there is one active membership', async () => {
    const reply = await login(emailOf(member.userId))
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      accessToken: expect.any(String),
      user: {
        id: member.userId,
        email: emailOf(member.userId),
        fullName: 'Test User',
        locale: 'en',
        status: 'active',
        emailVerified: true,
      },
      memberships: [
        {
          membershipId: member.membershipId,
          tenantId: institute.tenant.id,
          tenantSlug: institute.tenant.slug,
          tenantName: institute.tenant.name,
          status: 'active',
          roles: [{ roleId: member.roleId, roleName: `Role ${member.roleId}`, roleKey: null }],
        },
      ],
      activeTenantId: institute.tenant.id,
    })
    expect((await app.as(reply.body.accessToken).get('/branches')).status).toBe(200)
  })

  test('client web, the default: the refresh token is in an HttpOnly, SameSite=Strict cookie of /api/v1/auth and not in the body', async () => {
    const reply = await login(emailOf(member.userId))
    expect(reply.headers.get('set-cookie')).toMatch(
      /^institute_refresh=[\w-]{86}; path=\/api\/v1\/auth; expires=.*; samesite=strict; httponly$/,
    )
    expect(reply.body).not.toHaveProperty('refreshToken')
  })

  test('behind a proxy that speaks HTTPS the cookie is Secure', async () => {
    const proxied = await startApp({ config: { trustedProxies: 1 } })
    const { userId } = await (await makeInstitute(proxied)).member({ role: 'student' })
    const reply = await proxied.send('POST', '/auth/login', {
      body: { email: emailOf(userId), password: PASSWORD },
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' },
    })
    expect(reply.headers.get('set-cookie')).toContain('; secure')
    await proxied.close()
  })

  test('client mobile: the refresh token is in the body and there is no cookie', async () => {
    const reply = await login(emailOf(member.userId), PASSWORD, { client: 'mobile' })
    expect(reply.body.refreshToken).toMatch(/^[\w-]{86}$/)
    expect(cookieOf(reply)).toBeUndefined()
  })

  test('the email is compared case-insensitively and trimmed, the password neither', async () => {
    expect((await login(`  ${emailOf(member.userId).toUpperCase()} `)).status).toBe(200)
    expect((await login(emailOf(member.userId), ` ${PASSWORD}`)).body.error.code).toBe('INVALID_CREDENTIALS')
    expect((await login(emailOf(member.userId), PASSWORD.toUpperCase())).body.error.code).toBe('INVALID_CREDENTIALS')
  })

  test('a wrong password and an unknown email are refused alike: 401 INVALID_CREDENTIALS', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const wrong = await login(emailOf(userId), 'something else')
    const unknown = await login('nobody@example.org', 'something else')
    const { requestId: _, ...error } = wrong.body.error
    expect(wrong.status).toBe(401)
    const details = { reason: 'invalid_credentials' }
    expect(error).toEqual({ code: 'INVALID_CREDENTIALS', message: expect.any(String), details })
    expect(unknown).toMatchObject({ status: 401, body: { error } })
  })

  test('nobody can sign in to an account without a password', async () => {
    const { userId } = await institute.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ password_hash: null }).where('id', '=', userId).execute(),
    )
    expect((await login(emailOf(userId), 'null')).body.error.code).toBe('INVALID_CREDENTIALS')
  })

  test('a disabled user is 403 ACCOUNT_DISABLED, but only with the right password', async () => {
    const { userId } = await institute.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ status: 'disabled' }).where('id', '=', userId).execute(),
    )
    expect(await login(emailOf(userId))).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_DISABLED' } } })
    expect((await login(emailOf(userId), 'wrong')).body.error.code).toBe('INVALID_CREDENTIALS')
  })

  test('with no or several active memberships no institute is selected; inactive ones do not count', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const invitedTo = await makeInstitute(app)
    await addMembership(invitedTo, userId, 'invited')
    expect((await login(emailOf(userId))).body.activeTenantId).toBe(institute.tenant.id)
    await addMembership(await makeInstitute(app), userId)
    const { body } = await login(emailOf(userId))
    expect(body.activeTenantId).toBeNull()
    expect(body.memberships).toHaveLength(3)
    const reply = await app.as(body.accessToken).get('/branches')
    expect(reply).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { reason: 'tenant_not_selected' } } },
    })
  })

  test('a membership of an archived institute is left out, and does not prevent selecting the other one', async () => {
    const { userId } = await institute.member({ role: 'student' })
    const archived = await makeInstitute(app)
    await addMembership(archived, userId)
    const { body: before } = await login(emailOf(userId))
    expect([before.activeTenantId, before.memberships.length]).toEqual([null, 2])
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ status: 'archived' }).where('id', '=', archived.tenant.id).execute(),
    )
    const { body } = await login(emailOf(userId))
    expect(body.activeTenantId).toBe(institute.tenant.id)
    expect(body.memberships.map(({ tenantId }: { tenantId: string }) => tenantId)).toEqual([institute.tenant.id])
    const { userId: alone } = await archived.member({ role: 'student' })
    expect((await login(emailOf(alone))).body).toMatchObject({ activeTenantId: null, memberships: [] })
  })

  test('a platform admin gets no institute, not even the only one', async () => {
    const admin = await institute.member({ role: 'admin' })
    await app.app.database.write((db) =>
      db.updateTable('user').set({ is_platform_admin: true }).where('id', '=', admin.userId).execute(),
    )
    expect((await login(emailOf(admin.userId))).body).toMatchObject({
      activeTenantId: null,
      memberships: [{ tenantId: institute.tenant.id }],
    })
  })

  test('a locked institute lets people sign in', async () => {
    const locked = await makeInstitute(app)
    const { userId } = await locked.member({ role: 'student' })
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ locked_at: app.clock.now() }).where('id', '=', locked.tenant.id).execute(),
    )
    const { body } = await login(emailOf(userId))
    expect(body.activeTenantId).toBe(locked.tenant.id)
    const signedIn = app.as(body.accessToken)
    expect((await signedIn.get('/branches')).body.error.code).toBe('SUBSCRIPTION_SUSPENDED')
    expect((await signedIn.get('/auth/me')).status).toBe(200)
    expect((await signedIn.get('/me')).status).toBe(200)
    expect((await signedIn.post('/auth/select-tenant', { tenantId: locked.tenant.id })).status).toBe(200)
    expect((await signedIn.post('/auth/logout')).status).toBe(200)
  })

  test.each([
    ['email', { email: 'nobody', password: 'x' }],
    ['password', { email: 'a@example.org', password: '' }],
    ['client', { email: 'a@example.org', password: 'x', client: 'tv' }],
  ])('a wrong %s is 422 at its field', async (field, body) => {
    const reply = await app.post('/auth/login', body)
    expect(reply).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: [field] }] } } } })
  })

  test('leaves an audit entry in the log of the institute, without a secret', async () => {
    const { body } = await login(emailOf(member.userId), PASSWORD, { client: 'mobile' })
    const entry = (await auditOf(app, 'auth.login')).at(-1)
    expect(entry).toMatchObject({
      tenant_id: institute.tenant.id,
      entity_type: 'user',
      entity_id: member.userId,
      metadata: { client: 'mobile' },
    })
    const all = JSON.stringify(await app.app.database.read.selectFrom('audit_entry').selectAll().execute())
    for (const secret of [body.accessToken, body.refreshToken, PASSWORD]) expect(all).not.toContain(secret)
  })

  test('the database stores only the hash of a refresh token', async () => {
    const { body } = await login(emailOf(member.userId), PASSWORD, { client: 'mobile' })
    const sessions = await app.app.database.read.selectFrom('auth_session').selectAll().execute()
    expect(JSON.stringify(sessions)).not.toContain(body.refreshToken)
  })
})

describe('the rate limits of sign-in', () => {
  test('one address may try 300 a minute and one email 30, then 429 with Retry-After', async () => {
    const limited = await startApp({
      config: { limits: { ...DEFAULTS.limits, loginPerMinuteOfAddress: 4, loginPerMinuteOfEmail: 2 } },
    })
    const attempt = (email: string) => limited.post('/auth/login', { email, password: 'x' })
    expect((await attempt('a@example.org')).status).toBe(401)
    expect((await attempt('A@example.org')).status).toBe(401)
    const ofEmail = await attempt('a@example.org')
    expect(ofEmail).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(ofEmail.headers.get('retry-after')).toBe('60')
    expect(ofEmail.headers.get('ratelimit-limit')).toBe('2')
    expect((await attempt('b@example.org')).status).toBe(401)
    expect((await attempt('c@example.org')).headers.get('ratelimit-limit')).toBe('4')
    limited.clock.advance(60)
    expect((await attempt('a@example.org')).status).toBe(401)
    await limited.close()
  })

  test('X-Forwarded-For does not change the address, unless a trusted proxy sends it', async () => {
    for (const [trustedProxies, status] of [
      [0, 429],
      [1, 401],
    ] as const) {
      const limits = { ...DEFAULTS.limits, loginPerMinuteOfAddress: 4 }
      const limited = await startApp({ config: { trustedProxies, limits } })
      const attempt = (from: string) =>
        limited.send('POST', '/auth/login', {
          body: { email: `${from}@example.org`, password: 'x' },
          headers: { 'x-forwarded-for': `10.9.9.9, ${from}`, forwarded: `for=${from}`, 'x-real-ip': from },
        })
      for (const last of [1, 2, 3, 4]) expect((await attempt(`10.0.0.${last}`)).status).toBe(401)
      expect((await attempt('10.0.0.5')).status).toBe(status)
      await limited.close()
    }
  })

  test('when too many passwords wait to be checked it is 429 with Retry-After, and no failed login', async () => {
    let busy = true
    const swamped = await startApp({
      passwords: {
        hash: async (password) => `plain:${password}`,
        verify: async (hash, password) => {
          if (busy) throw new Busy()
          return hash === `plain:${password}`
        },
        needsRehash: () => false,
      },
    })
    const { userId } = await (await makeInstitute(swamped)).member({ role: 'student' })
    const attempt = () => swamped.post('/auth/login', { email: emailOf(userId), password: PASSWORD })
    for (let time = 0; time < 6; time += 1) {
      const reply = await attempt()
      expect(reply).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    busy = false
    expect((await attempt()).status).toBe(200)
    await swamped.close()
  })
})

/** The probe's interval in milliseconds; without it the probe would measure its own load. */
const PROBE_EVERY_MILLIS = 20
/** What they cost is the hashing, which no database takes part in. */
const LOGINS = engine === 'postgres' ? 40 : volume(60, 200)

describe(`${LOGINS} logins at once`, () => {
  test('are all answered, while the health probe answers within a second (p95)', async () => {
    const real = await startApp({ passwords: createArgon2Passwords() })
    const done = new AbortController()
    const waits: number[] = []
    const probing = (async () => {
      while (!done.signal.aborted) {
        const started = performance.now()
        expect((await real.get('/health/live')).status).toBe(200)
        waits.push(performance.now() - started)
        await pause(PROBE_EVERY_MILLIS)
      }
    })()
    const replies = await Promise.all(
      Array.from({ length: LOGINS }, (_, index) =>
        real.post('/auth/login', { email: `somebody-${index}@example.org`, password: 'a wrong guess' }),
      ),
    )
    done.abort()
    await probing
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
    const slowest = waits.toSorted((one, other) => one - other)
    expect(slowest[Math.floor(slowest.length * 0.95)]).toBeLessThan(1000)
    await real.close()
  }, 30_000)
})

describe('passwords at rest', () => {
  test('a hash with outdated parameters is replaced at the next sign-in, and the password keeps working', async () => {
    const real = createArgon2Passwords()
    const argon = await startApp({ passwords: real })
    const { userId } = await (await makeInstitute(argon)).member({ role: 'student' })
    const { default: argon2 } = await import('argon2')
    const old = await argon2.hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    const hash = async () =>
      (
        await argon.app.database.read
          .selectFrom('user')
          .select('password_hash')
          .where('id', '=', userId)
          .executeTakeFirstOrThrow()
      ).password_hash as string
    await argon.app.database.write((db) =>
      db.updateTable('user').set({ password_hash: old }).where('id', '=', userId).execute(),
    )
    const attempt = (password = PASSWORD) => argon.post('/auth/login', { email: emailOf(userId), password })
    expect((await attempt('wrong')).status).toBe(401)
    expect(await hash()).toBe(old)
    expect((await attempt()).status).toBe(200)
    const upgraded = await hash()
    expect(upgraded).toMatch(/^\$argon2id\$v=19\$m=19456/)
    expect((await attempt()).status).toBe(200)
    expect(await hash()).toBe(upgraded)
    await argon.close()
  })

  test('a server that is too busy to replace the hash still signs the person in', async () => {
    const busy = await startApp({
      passwords: {
        hash: async () => {
          throw new Busy()
        },
        verify: async (hash, password) => hash === `plain:${password}`,
        needsRehash: () => true,
      },
    })
    const { userId } = await (await makeInstitute(busy)).member({ role: 'student' })
    const reply = await busy.post('/auth/login', { email: emailOf(userId), password: PASSWORD })
    expect(reply.status).toBe(200)
    await busy.close()
  })
})
