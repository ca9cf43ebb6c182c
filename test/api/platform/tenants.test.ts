import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plusSeconds } from '#kernel/time/clock.ts'
import { newId } from '#kernel/basics/ids.ts'
import { sweepIdentityJob } from '#modules/identity/jobs.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newLicense, TestInstall } from '#kit/licenses.ts'
import { platformAdmin, type TestPlatformAdmin } from '#kit/platform-admin.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newApiKey } from '../examples/integrations.ts'
import { newPlan, newSubscription } from '../examples/plans.ts'
import { emailOf, mailedToken, PASSWORD } from '#kit/sign-in.ts'

const HOUR = 3600
const DAY = 24 * HOUR

let app: TestApp
let admin: TestPlatformAdmin
beforeAll(async () => {
  app = await startApp({ config: { mode: 'cloud', registration: true } })
  admin = await platformAdmin(app)
})
afterAll(() => app.close())

const newTenant = (owner: { email: string; fullName?: string }, more: object = {}) => ({
  slug: `noor-${newId()}`,
  name: 'معهد النور',
  defaultLocale: 'ar',
  timezone: 'Asia/Jerusalem',
  currency: 'ILS',
  ...more,
  owner: { fullName: 'Rana Haddad', ...owner },
})
const newEmail = () => `owner-${newId()}@example.org`
const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const of = ({ tenant }: TestInstitute, path = '') => `/platform/tenants/${tenant.id}${path}`

describe('POST /platform/tenants', () => {
  test('makes an institute whose owner sets a password by mail and signs in to it', async () => {
    const email = newEmail()
    const body = newTenant({ email })
    const reply = await admin.post('/platform/tenants', body)
    expect(reply.status).toBe(201)
    const { owner: _, ...institute } = body
    expect(reply.body).toEqual({
      ...institute,
      id: expect.any(String),
      status: 'active',
      deploymentMode: 'cloud',
      autoLockOverride: 'inherit',
      lockedAt: null,
      lockedReason: null,
      lockedByPlatformAdminId: null,
      createdBy: admin.userId,
      features: expect.objectContaining({ mcp: null, courses_video: null }),
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
      ownerMail: { to: email, kind: 'welcome', linkExpiresAt: plusSeconds(app.clock.now(), 7 * DAY) },
    })
    await app.drain()
    const token = mailedToken(app, email, 'reset-password')
    expect((await app.post('/auth/reset-password', { token, newPassword: PASSWORD })).status).toBe(200)
    const signedIn = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
    expect(signedIn.body).toMatchObject({
      user: { fullName: 'Rana Haddad', locale: 'ar', emailVerified: true },
      memberships: [{ tenantId: reply.body.id, status: 'active', roles: [{ roleKey: 'owner' }] }],
      activeTenantId: reply.body.id,
    })
    const owner = app.as(signedIn.body.accessToken)
    expect((await owner.get('/branches')).body).toMatchObject([{ isDefault: true }])
    const created = await auditOf(app, { tenant: { id: reply.body.id } } as TestInstitute, 'platform-tenants.create')
    expect(created.filter(({ entity_type }) => entity_type === 'tenant')).toMatchObject([
      { actor_type: 'platform_admin', actor_user_id: admin.userId, entity_id: reply.body.id },
    ])
  })

  test.each([
    ['ar', 'مرحبًا بكم في \u2068Rimon security\u2060.\u2060example\u2069', '7 أيام'],
    ['he', 'ברוכים הבאים אל \u2068Rimon security\u2060.\u2060example\u2069', '7 ימים'],
    ['en', 'Welcome to \u2068Rimon security\u2060.\u2060example\u2069', '7 days'],
  ])('welcomes the owner in the language of the institute: %s', async (defaultLocale, subject, week) => {
    const email = newEmail()
    await admin.post('/platform/tenants', newTenant({ email }, { name: 'Rimon security.example', defaultLocale }))
    await app.drain()
    const mails = app.mails.filter(({ to }) => to === email)
    expect(mails).toMatchObject([{ subject, locale: defaultLocale, senderName: 'Rimon security.example' }])
    expect(mails[0]?.text).toContain('\u2068Rimon security\u2060.\u2060example\u2069')
    expect(mails[0]?.text).toContain(week)
    expect(mails[0]?.text).toContain(`/reset-password?token=${mailedToken(app, email, 'reset-password')}`)
  })

  test('lets the owner choose a password for 7 days and no longer, however often links are swept', async () => {
    const emails = [newEmail(), newEmail()]
    for (const email of emails) await admin.post('/platform/tenants', newTenant({ email }))
    await app.drain()
    const [inTime = '', late = ''] = emails.map((email) => mailedToken(app, email, 'reset-password'))
    const choose = async (token: string) =>
      (await app.post('/auth/reset-password', { token, newPassword: PASSWORD })).status
    const pass = async (seconds: number) => {
      app.clock.advance(seconds)
      await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
        unit.system().enqueue(sweepIdentityJob, {}),
      )
      await app.drain()
    }
    await pass(HOUR)
    await pass(7 * DAY - HOUR - 1)
    expect(await choose(inTime)).toBe(200)
    await pass(1)
    expect(await choose(late)).toBe(401)
    app.clock.advance(-7 * DAY)
  })

  test('leaves password and name of an account whose address is confirmed, and tells it without a link', async () => {
    const { ownerUserId } = await makeInstitute(app)
    const email = emailOf(ownerUserId)
    const { body } = await admin.post('/platform/tenants', newTenant({ email: email.toUpperCase() }))
    expect(body.ownerMail).toEqual({ to: email, kind: 'notice', linkExpiresAt: null })
    await app.drain()
    const mails = app.mails.filter(({ to }) => to === email)
    expect(mails).toMatchObject([
      { subject: 'You are now the owner of \u2068معهد النور\u2069', locale: 'en', senderName: 'معهد النور' },
    ])
    expect(`${mails[0]?.text}${mails[0]?.html}`).not.toMatch(/https?:|token=|href/)
    const signedIn = await app.post('/auth/login', { email, password: PASSWORD, client: 'mobile' })
    expect(signedIn.body.user.fullName).toBe('Test User')
    expect(signedIn.body.memberships.map(({ tenantId }: { tenantId: string }) => tenantId)).toContain(body.id)
  })

  test('gives nothing to a stranger who registered the owner’s address before', async () => {
    const email = newEmail()
    const stranger = await app.post('/auth/register', { email, password: 'a stranger’s own', fullName: 'Stranger' })
    const { status } = await admin.post('/platform/tenants', newTenant({ email }))
    expect(status).toBe(201)
    expect((await app.as(stranger.body.accessToken).get('/me')).status).toBe(401)
    expect(await app.post('/auth/login', { email, password: 'a stranger’s own' })).toMatchObject(
      refused(401, 'INVALID_CREDENTIALS'),
    )
    await app.drain()
    expect(mailedToken(app, email, 'reset-password')).toEqual(expect.any(String))
  })

  test('refuses a slug that is taken, a disabled owner, and an institute that is incomplete', async () => {
    const { tenant, ownerUserId } = await makeInstitute(app)
    const email = newEmail()
    expect(await admin.post('/platform/tenants', newTenant({ email }, { slug: tenant.slug }))).toMatchObject(
      refused(409, 'TENANT_SLUG_TAKEN'),
    )
    // Nothing of it is left.
    expect((await admin.get(`/platform/users?email=${email}`)).body.data).toEqual([])
    await admin.patch(`/platform/users/${ownerUserId}`, { status: 'disabled' })
    expect(await admin.post('/platform/tenants', newTenant({ email: emailOf(ownerUserId) }))).toMatchObject(
      refused(409, 'CONFLICT'),
    )
    for (const missing of ['slug', 'name', 'defaultLocale', 'timezone', 'currency', 'owner']) {
      const { [missing]: _, ...body } = newTenant({ email: newEmail() }) as Record<string, unknown>
      expect(await admin.post('/platform/tenants', body)).toMatchObject({
        status: 422,
        body: { error: { details: { issues: [{ path: [missing] }] } } },
      })
    }
  })

  test('subscribes the institute to a plan, which holds at once', async () => {
    const plan = await newPlan(app)
    const make = (planId: string) => admin.post('/platform/tenants', newTenant({ email: newEmail() }, { planId }))
    const { body: tenant } = await make(plan.id)
    const { body } = await admin.get(`/platform/tenants/${tenant.id}`)
    expect(body.subscription).toMatchObject({ planId: plan.id, status: 'active', currentPeriodStart: app.clock.now() })
    expect(await make(newId())).toMatchObject(refused(404, 'NOT_FOUND'))
    await admin.post(`/platform/plans/${plan.id}/archive`)
    expect(await make(plan.id)).toMatchObject(refused(409, 'CONFLICT'))
  })

  test('is refused by a self-hosted server, which has one institute', async () => {
    const install = await startApp()
    const reply = await (await platformAdmin(install)).post('/platform/tenants', newTenant({ email: newEmail() }))
    expect(reply).toMatchObject(refused(409, 'CONFLICT'))
    await install.close()
  })
})

describe('GET /platform/tenants', () => {
  const listed = async (query: string) => {
    const { status, body } = await admin.get(`/platform/tenants?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map(({ id }: { id: string }) => id)
  }

  test('finds by name and slug, by state and by mode, newest first, page by page', async () => {
    const mark = newId().slice(-8)
    const made: string[] = []
    for (const [name, slug, deploymentMode] of [
      [`مَعهد القُدس ${mark}`, `quds-${newId()}`, 'cloud'],
      ['Carmel', `carmel-${mark}`, 'self_hosted'],
      [`Galil ${mark}`, `galil-${newId()}`, 'cloud'],
    ]) {
      const { body } = await admin.post(
        '/platform/tenants',
        newTenant({ email: newEmail() }, { name, slug, deploymentMode }),
      )
      made.unshift(body.id)
      app.clock.advance(1)
    }
    expect(await listed(`q=${mark}`)).toEqual(made)
    expect(await listed(`q=${encodeURIComponent(`معهد القدس ${mark}`)}`)).toEqual([made[2]])
    expect(await listed(`q=${mark}&deploymentMode=self_hosted`)).toEqual([made[1]])
    await admin.post(`/platform/tenants/${made[0]}/lock`, { reason: 'Unpaid.' })
    await admin.post(`/platform/tenants/${made[1]}/archive`)
    expect(await listed(`q=${mark}&status=suspended`)).toEqual([made[0]])
    expect(await listed(`q=${mark}&status=archived`)).toEqual([made[1]])
    expect(await listed(`q=${mark}&status=active`)).toEqual([made[2]])
    const { body: first } = await admin.get(`/platform/tenants?q=${mark}&limit=2`)
    expect(await listed(`q=${mark}&limit=2&cursor=${first.nextCursor}`)).toEqual([made[2]])
    await admin.patch(`/platform/tenants/${made[0]}`, { name: 'Hermon' })
    expect(await listed(`q=${mark}`)).toEqual(made.slice(1))
    expect(await listed(`id=${made[2]}&id=${made[0]}&id=${newId()}`)).toEqual([made[0], made[2]])
  })

  test('tells of each its subscription, and when somebody last worked in it or its own server last asked', async () => {
    const [used, hosted, quiet] = await Promise.all([makeInstitute(app), makeInstitute(app), makeInstitute(app)])
    const before = app.clock.now()
    app.clock.advance(60)
    const subscription = await newSubscription(app, used)
    const email = emailOf(used.ownerUserId)
    expect((await app.post('/auth/login', { email, password: PASSWORD, client: 'web' })).status).toBe(200)
    await new TestInstall(app, await newLicense(app, hosted)).beat()
    // What the platform does in somebody's name is no sign of life.
    await admin.post(of(quiet, '/impersonate'), { reason: 'A question.' })
    const { body } = await admin.get(
      `/platform/tenants?${[used, hosted, quiet].map(({ tenant }) => `id=${tenant.id}`).join('&')}`,
    )
    const shown = (institute: TestInstitute) => body.data.find(({ id }: { id: string }) => id === institute.tenant.id)
    expect(shown(used)).toMatchObject({ subscription, lastSeenAt: app.clock.now() })
    expect(shown(hosted)).toMatchObject({ subscription: null, lastSeenAt: app.clock.now() })
    expect(shown(quiet)).toMatchObject({ subscription: null, lastSeenAt: before })
  })
})

describe('GET and PATCH /platform/tenants/{id}', () => {
  test('show and change what the platform sets, which holds at once and stands in the institute’s log', async () => {
    const institute = await makeInstitute(app, { deploymentMode: 'cloud', features: { custom_domain: true } })
    await institute.member({ role: 'teacher' })
    const { owner } = institute
    await owner.post('/branches', { name: 'North' })
    const disabled = await institute.member({ role: 'teacher' })
    await owner.patch(`/members/${disabled.membershipId}`, { status: 'disabled' })
    const { body: domain } = await admin.post(of(institute, '/domains'), { domain: 'rimon.example', kind: 'custom' })
    const other = await makeInstitute(app, { features: { custom_domain: true } })
    await admin.post(of(other, '/domains'), { domain: 'other.example', kind: 'custom' })
    expect((await admin.get(of(institute))).body).toMatchObject({
      subscription: null,
      domains: [domain],
      tenant: { id: institute.tenant.id, name: institute.tenant.name, status: 'active' },
      counts: { members: 2, branches: 2 },
    })
    const changes = {
      name: 'Rimon',
      defaultLocale: 'he',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      autoLockOverride: 'on',
    }
    const changed = await admin.patch(of(institute), { ...changes, features: { mcp: true, courses_video: false } })
    expect(changed.body).toMatchObject({
      ...changes,
      features: { mcp: true, courses_video: false, basic_reports: null },
    })
    expect((await owner.get('/settings')).body).toMatchObject({ name: 'Rimon', currency: 'EUR', version: 2 })
    expect((await owner.get('/feature-flags')).body).toMatchObject({
      mcp: true,
      courses_video: false,
      basic_reports: true,
    })
    await admin.patch(of(institute), { features: { mcp: null } })
    expect((await owner.get('/feature-flags')).body).toMatchObject({ mcp: false, courses_video: false })
    const [entry] = await auditOf(app, institute, 'platform-tenants.update')
    expect(entry).toMatchObject({
      actor_type: 'platform_admin',
      before: { name: institute.tenant.name },
      after: changes,
    })
  })

  test('spends no version on what changes nothing, and leaves the currency of invoices', async () => {
    const institute = await makeInstitute(app)
    const { body: before } = await admin.get(of(institute))
    app.clock.advance(5)
    const same = await admin.patch(of(institute), { name: institute.tenant.name, features: {} })
    expect(same.body).toEqual(before.tenant)
    await app.app.database.write((db) =>
      db.updateTable('tenant').set({ currency_fixed: true }).where('id', '=', institute.tenant.id).execute(),
    )
    expect(await admin.patch(of(institute), { currency: 'USD' })).toMatchObject(refused(409, 'CONFLICT'))
    expect((await admin.patch(of(institute), { currency: 'ILS' })).status).toBe(200)
    expect((await admin.patch(of(institute), { timezone: 'Mars/Base' })).status).toBe(422)
  })

  test('an institute that is not there is 404 TENANT_NOT_FOUND', async () => {
    const nowhere = `/platform/tenants/${newId()}`
    const replies = [
      await admin.get(nowhere),
      await admin.patch(nowhere, { name: 'Nobody' }),
      await admin.post(`${nowhere}/archive`),
      await admin.post(`${nowhere}/impersonate`, { reason: 'Help' }),
      await admin.post(`${nowhere}/lock`, { reason: 'Unpaid' }),
      await admin.post(`${nowhere}/unlock`),
    ]
    for (const reply of replies) expect(reply).toMatchObject(refused(404, 'TENANT_NOT_FOUND'))
  })
})

describe('lock, unlock and archive', () => {
  test('take an institute’s requests away and give them back, each with one event', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    const reason = 'Three bills are unpaid.'
    expect((await admin.post(of(institute, '/lock'), { reason })).body).toMatchObject({
      status: 'suspended',
      lockedAt: app.clock.now(),
      lockedReason: reason,
      lockedByPlatformAdminId: admin.userId,
    })
    expect(await owner.get('/branches')).toMatchObject(refused(402, 'SUBSCRIPTION_SUSPENDED'))
    await admin.post(of(institute, '/lock'), { reason })
    expect(await eventsOf(app, institute, 'tenant.locked')).toEqual([
      { subscriptionId: null, reason, source: 'manual' },
    ])
    expect((await admin.post(of(institute, '/unlock'))).body).toMatchObject({ status: 'active', lockedAt: null })
    await admin.post(of(institute, '/unlock'))
    expect((await owner.get('/branches')).status).toBe(200)
    expect(await eventsOf(app, institute, 'tenant.unlocked')).toEqual([{ subscriptionId: null, status: 'active' }])
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }]) {
      expect((await admin.post(of(institute, '/lock'), body)).status).toBe(422)
    }
  })

  test('say the reason to the members of the institute, and to nobody who sends a key', async () => {
    const institute = await makeInstitute(app)
    const { owner } = institute
    const site = 'https://noor.example'
    const secret = app.as((await newApiKey({ owner }, { permissions: ['students.read'] })).key)
    const publishable = app.as((await newApiKey({ owner }, { kind: 'publishable', allowedOrigins: [site] })).key)
    const teacher = await institute.member({ role: 'teacher' })
    const stranger = await makeInstitute(app)
    const refusals = async () => {
      const ofSite = await publishable.send('POST', '/public/registrations', { body: {}, headers: { origin: site } })
      const replies = [await owner.get('/branches'), await teacher.post('/students', {}), await secret.get('/students')]
      return [...replies, ofSite].map(({ status, body }) => [status, body.error.code, body.error.details])
    }
    const of402 = (details: unknown) => [402, 'SUBSCRIPTION_SUSPENDED', details]
    for (const reason of ['Three bills are unpaid.', 'Four bills are unpaid.']) {
      await admin.post(of(institute, '/lock'), { reason })
      const told = of402({ lockedReason: reason })
      expect(await refusals()).toEqual([told, told, of402(undefined), of402(undefined)])
    }
    expect((await stranger.owner.get('/branches')).status).toBe(200)
  })

  test('name the subscription of the institute in their events', async () => {
    const institute = await makeInstitute(app)
    const { id: subscriptionId } = await newSubscription(app, institute)
    await admin.post(of(institute, '/lock'), { reason: 'Unpaid' })
    await admin.post(of(institute, '/unlock'))
    for (const type of ['tenant.locked', 'tenant.unlocked']) {
      expect(await eventsOf(app, institute, type)).toMatchObject([{ subscriptionId }])
    }
  })

  test('archiving is final', async () => {
    const institute = await makeInstitute(app)
    expect((await admin.post(of(institute, '/archive'))).body).toMatchObject({ status: 'archived' })
    expect(await institute.owner.get('/branches')).toMatchObject(refused(403, 'TENANT_SUSPENDED'))
    const replies = [
      await admin.post(of(institute, '/archive')),
      await admin.post(of(institute, '/lock'), { reason: 'Unpaid' }),
      await admin.post(of(institute, '/unlock')),
      await admin.post(of(institute, '/impersonate'), { reason: 'Help' }),
      await admin.patch(of(institute), { name: 'Again' }),
    ]
    for (const reply of replies) expect(reply).toMatchObject(refused(409, 'CONFLICT'))
    expect((await admin.get(of(institute))).body.tenant.status).toBe('archived')
  })
})
