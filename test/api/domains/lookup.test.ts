import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '#app/config/config.ts'
import { newId } from '#kernel/basics/ids.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { emailOf, PASSWORD } from '#kit/sign-in.ts'

/** An institute of a cloud is reached by its verified domains. */

const VENDOR = 'https://institutes.example.com'

let app: TestApp
let behindProxy: TestApp
let installed: TestApp

const start = (config: Partial<Config>) => startApp({ config: { baseUrl: VENDOR, registration: true, ...config } })

beforeAll(async () => {
  app = await start({ mode: 'cloud' })
  behindProxy = await start({ mode: 'cloud', trustedProxies: 1 })
  installed = await start({ mode: 'self_hosted' })
})
afterAll(() => Promise.all([app, behindProxy, installed].map((one) => one.close())))

let made = 0
/** Adds a domain to an institute; a primary one is verified. */
const domainOf = async (
  { app: { database }, clock }: TestApp,
  { tenant }: TestInstitute,
  is: { verified?: boolean; primary?: boolean } = {},
): Promise<string> => {
  const domain = `school-${(made += 1)}.example.org`
  await database.write((db) =>
    db
      .insertInto('tenant_domain')
      .values({
        id: newId(),
        tenant_id: tenant.id,
        domain,
        kind: 'custom',
        verification_token: 'token',
        verified_at: (is.verified ?? true) ? clock.now() : null,
        is_primary: is.primary ?? false,
        created_at: clock.now(),
        updated_at: clock.now(),
      } as never)
      .execute(),
  )
  return domain
}

const signIn = (on: TestApp, { userId }: Pick<TestMember, 'userId'>, headers: Record<string, string>): Promise<Reply> =>
  on.send('POST', '/auth/login', {
    body: { email: emailOf(userId), password: PASSWORD, client: 'mobile' },
    headers,
  })
const boundAt = async (on: TestApp, member: Pick<TestMember, 'userId'>, host: string): Promise<string | null> =>
  (await signIn(on, member, { host })).body.activeTenantId

/** Makes somebody an active member of another institute too. */
const joined = async (on: TestApp, { userId }: TestMember, institute: TestInstitute): Promise<void> => {
  await on.app.database.write((db) =>
    db
      .insertInto('membership')
      .values({
        id: newId(),
        tenant_id: institute.tenant.id,
        user_id: userId,
        status: 'active',
        joined_at: on.clock.now(),
        created_at: on.clock.now(),
        updated_at: on.clock.now(),
      } as never)
      .execute(),
  )
}

describe('who signs in at the verified domain of an institute', () => {
  test('is bound to it, however many others they belong to', async () => {
    const [one, other] = [await makeInstitute(app), await makeInstitute(app)]
    const member = await one.member({ role: 'front_desk' })
    await joined(app, member, other)
    const [here, there] = [await domainOf(app, one), await domainOf(app, other)]
    expect(await boundAt(app, member, 'institutes.example.com')).toBeNull()
    expect(await boundAt(app, member, here)).toBe(one.tenant.id)
    for (const spelled of [there, there.toUpperCase(), `${there}.`, `${there}:8443`]) {
      expect(await boundAt(app, member, spelled)).toBe(other.tenant.id)
    }
    const { body } = await signIn(app, member, { host: there })
    expect((await app.as(body.accessToken).get('/auth/me')).body.activeTenantId).toBe(other.tenant.id)
  })

  test('is bound to no other institute by itself', async () => {
    const [one, other] = [await makeInstitute(app), await makeInstitute(app)]
    const member = await one.member({ role: 'front_desk' })
    const domain = await domainOf(app, other)
    const { status, body } = await signIn(app, member, { host: domain })
    expect([status, body.activeTenantId, body.memberships.length]).toEqual([200, null, 1])
    const selected = await app.as(body.accessToken).post('/auth/select-tenant', { tenantId: one.tenant.id })
    expect(selected.body.activeTenantId).toBe(one.tenant.id)
  })

  test('is not bound by a membership that is not active', async () => {
    const institute = await makeInstitute(app)
    const member = await institute.member({ role: 'front_desk' })
    const domain = await domainOf(app, institute)
    await institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    expect(await boundAt(app, member, domain)).toBeNull()
  })

  test('is not bound as a platform admin', async () => {
    const institute = await makeInstitute(app)
    const admin = await platformAdmin(app)
    const reply = await app.send('POST', '/auth/login', {
      body: { email: `platform-${admin.userId}@example.org`, password: PASSWORD },
      headers: { host: await domainOf(app, institute) },
    })
    expect([reply.status, reply.body.activeTenantId]).toEqual([200, null])
  })

  test('is as anywhere else where the domain is unknown, not verified, or no name at all', async () => {
    const institute = await makeInstitute(app)
    const member = await institute.member({ role: 'front_desk' })
    const claimed = await domainOf(app, await makeInstitute(app), { verified: false })
    for (const host of [claimed, 'unknown.example.org', '127.0.0.1:8080', '[::1]:80', 'x'.repeat(3000), '%00', "'--"]) {
      expect(await boundAt(app, member, host), host).toBe(institute.tenant.id)
    }
  })

  test('sees a domain that was just verified, and not one that was just removed', async () => {
    const [one, other] = [await makeInstitute(app), await makeInstitute(app)]
    const member = await one.member({ role: 'front_desk' })
    await joined(app, member, other)
    const admin = await platformAdmin(app)
    const domain = `noor-${(made += 1)}.institutes.example.com`
    expect(await boundAt(app, member, domain)).toBeNull()
    const { body } = await admin.post(`/platform/tenants/${other.tenant.id}/domains`, { domain, kind: 'subdomain' })
    expect(await boundAt(app, member, domain)).toBe(other.tenant.id)
    await admin.delete(`/platform/domains/${body.id}`)
    expect(await boundAt(app, member, domain)).toBeNull()
  })

  test('is bound by X-Forwarded-Host behind a trusted proxy alone', async () => {
    for (const [on, believed] of [
      [app, false],
      [behindProxy, true],
    ] as const) {
      const [one, other] = [await makeInstitute(on), await makeInstitute(on)]
      const member = await one.member({ role: 'front_desk' })
      await joined(on, member, other)
      const reply = await signIn(on, member, { 'x-forwarded-host': await domainOf(on, other) })
      expect(reply.body.activeTenantId).toBe(believed ? other.tenant.id : null)
    }
  })

  test('is as anywhere else on a self-hosted install', async () => {
    const [one, other] = [await makeInstitute(installed), await makeInstitute(installed)]
    const member = await one.member({ role: 'front_desk' })
    expect(await boundAt(installed, member, await domainOf(installed, other))).toBe(one.tenant.id)
  })
})

describe('links', () => {
  const invite = async (on: TestApp, { owner, roles }: TestInstitute): Promise<string> => {
    const email = `invited-${(made += 1)}@example.org`
    expect((await owner.post('/members', { email, roleId: roles.teacher })).status).toBe(201)
    await on.drain()
    const { text } = on.mails.findLast(({ to }) => to === email) ?? { text: '' }
    return /https?:\S*/.exec(text)?.[0] ?? ''
  }
  const fileUrl = async (owner: Client): Promise<string> =>
    (
      await owner.post('/files/upload-url', {
        kind: 'document',
        originalName: 'a.pdf',
        mimeType: 'application/pdf',
        sizeBytes: 10,
      })
    ).body.uploadUrl

  test('of an institute begin with its primary domain, in cloud mode', async () => {
    const [one, other] = [await makeInstitute(app), await makeInstitute(app)]
    await domainOf(app, one)
    expect(await invite(app, one)).toMatch(/^https:\/\/institutes\.example\.com\/invitation\?token=/)
    const domain = await domainOf(app, one, { primary: true })
    expect((await invite(app, one)).startsWith(`https://${domain}/invitation?token=`)).toBe(true)
    expect((await fileUrl(one.owner)).startsWith(`https://${domain}/files/${one.tenant.id}/`)).toBe(true)
    expect(await invite(app, other)).toMatch(/^https:\/\/institutes\.example\.com\//)
    expect(await fileUrl(other.owner)).toMatch(/^https:\/\/institutes\.example\.com\//)
  })

  test('of an account begin with the server’s own address, whatever the Host header says', async () => {
    const institute = await makeInstitute(app)
    const domain = await domainOf(app, institute, { primary: true })
    const { userId } = await institute.member({ role: 'front_desk' })
    for (const [at, body] of [
      ['/auth/forgot-password', { email: emailOf(userId) }],
      ['/auth/register', { email: `new-${userId}@example.org`, password: 'a long password', fullName: 'Amal' }],
    ] as const) {
      const reply = await app.send('POST', at, { body, headers: { host: domain } })
      expect(reply.status).toBeLessThan(300)
      await app.drain()
      expect(app.mails.findLast(({ to }) => to === body.email)?.text).toContain(`${VENDOR}/`)
      expect(app.mails.findLast(({ to }) => to === body.email)?.text).not.toContain(domain)
    }
  })

  test('begin with the server’s own address on a self-hosted install', async () => {
    const institute = await makeInstitute(installed)
    await domainOf(installed, institute, { primary: true })
    expect(await invite(installed, institute)).toMatch(/^https:\/\/institutes\.example\.com\/invitation/)
    expect(await fileUrl(institute.owner)).toMatch(/^https:\/\/institutes\.example\.com\/files\//)
  })
})
