import { afterEach, describe, expect, test } from 'vitest'
import { DEFAULTS } from '#app/config/config.ts'
import { startApp, type TestApp, type TestAppOptions } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { impersonate, mailedToken } from '#kit/sign-in.ts'
import { newPhone } from '../examples/people.ts'
import { newInstitute } from '../examples/setup.ts'

/** Nobody can make this server mail strangers in large numbers, under a false name or with their own links. */

let app: TestApp
afterEach(() => app.close())

const start = async (options: TestAppOptions = {}) => {
  app = await startApp(options)
}

const HOUR = 3600
const limited = { status: 429, body: { error: { code: 'RATE_LIMITED' } } }

const invite = ({ owner, roles }: TestInstitute, email: string, by: Client = owner) =>
  by.post('/members', { email, roleId: roles.student })
const membershipOf = async ({ owner }: TestInstitute, email: string): Promise<string> => {
  const { body } = await owner.get('/members?limit=100')
  return body.data.find((one: { email: string }) => one.email === email).membershipId
}
const newStudent = async ({ owner, branchId }: TestInstitute, email: string): Promise<string> =>
  (await owner.post('/students', { branchId, firstName: 'Huda', lastName: 'Nasser', email })).body.id
const newGuardian = async ({ owner }: TestInstitute, email: string): Promise<string> =>
  (await owner.post('/guardians', { firstName: 'Huda', lastName: 'Nasser', phone: newPhone(), email })).body.id

describe('a caller whose address is unconfirmed', () => {
  const refused = { status: 403, body: { error: { code: 'FORBIDDEN', details: { reason: 'email_not_verified' } } } }

  /** Every way of inviting, and of inviting again. */
  const everyWay = async (by: Client, { branchId, roleId }: { branchId: string; roleId: string }, serial: number) => {
    const person = { firstName: 'Huda', lastName: 'Nasser' }
    const student = await by.post('/students', { ...person, branchId })
    const guardian = await by.post('/guardians', { ...person, phone: newPhone() })
    const newest = async () => (await by.get('/members')).body.data[0].membershipId
    return [
      await by.post('/members', { email: `one-${serial}@example.org`, roleId }),
      await by.post(`/students/${student.body.id}/invite`, { email: `two-${serial}@example.org` }),
      await by.post(`/guardians/${guardian.body.id}/invite`, { email: `three-${serial}@example.org` }),
      await by.post(`/members/${await newest()}/resend-invitation`),
    ]
  }

  test('cannot invite, in any way or with any key, until they confirm it', async () => {
    await start({ config: { mode: 'cloud', registration: true } })
    const tenant = { slug: 'noor', name: 'Noor' }
    const owner = { email: 'owner@example.org', password: 'olive tree by the gate', fullName: 'Noor Haddad' }
    const { body } = await app.post('/auth/register', { ...owner, tenant })
    const session = app.as(body.accessToken)
    const { body: branches } = await session.get('/branches')
    const { body: roles } = await session.get('/roles')
    const place = {
      branchId: branches[0].id,
      roleId: roles.data.find(({ key }: { key: string }) => key === 'student').id,
    }
    const permissions = ['members.manage', 'students.write', 'guardians.write']
    const { body: key } = await session.post('/api-keys', { name: 'Sync', permissions })
    for (const [serial, by] of [session, app.as(key.key)].entries()) {
      for (const reply of await everyWay(by, place, serial)) expect(reply).toMatchObject(refused)
    }
    await app.drain()
    expect(app.mails.map(({ to }) => to)).toEqual([owner.email])

    const token = mailedToken(app, owner.email, 'verify-email')
    expect((await app.post('/auth/verify-email', { token })).status).toBe(200)
    for (const [serial, by] of [session, app.as(key.key)].entries()) {
      const statuses = (await everyWay(by, place, serial)).map(({ status }) => status)
      expect(statuses).toEqual([201, 201, 201, 200])
    }
  })

  test('the owner from the wizard counts as confirmed', async () => {
    await start()
    const { body } = await app.post('/setup/bootstrap', newInstitute({ app, serial: 1 }))
    const owner = app.as(body.accessToken)
    const { body: roles } = await owner.get('/roles')
    expect((await owner.post('/members', { email: 'a@example.org', roleId: roles.data[0].id })).status).toBe(201)
  })
})

describe('one address', () => {
  test('gets 10 invitations an hour, from all institutes and of every kind together', async () => {
    await start()
    const institutes = await Promise.all(Array.from({ length: 7 }, () => makeInstitute(app)))
    const [first, second, third, ...others] = institutes as [TestInstitute, TestInstitute, TestInstitute]
    const EMAIL = 'stranger@example.org'
    expect((await invite(first, 'Stranger@Example.org')).status).toBe(201)
    const membershipId = await membershipOf(first, 'Stranger@Example.org')
    const resend = () => first.owner.post(`/members/${membershipId}/resend-invitation`)
    for (let time = 0; time < 3; time += 1) expect((await resend()).status).toBe(200)
    const student = await newStudent(second, EMAIL)
    expect((await second.owner.post(`/students/${student}/invite`)).status).toBe(201)
    const guardian = await newGuardian(third, EMAIL)
    expect((await third.owner.post(`/guardians/${guardian}/invite`)).status).toBe(201)
    for (const other of others) expect((await invite(other, 'stranger+other@example.org')).status).toBe(201)

    const eleventh = await resend()
    expect(eleventh).toMatchObject(limited)
    expect(eleventh.headers.get('retry-after')).toBe(String(HOUR))
    const late = await makeInstitute(app)
    expect(await invite(late, EMAIL)).toMatchObject(limited)
    expect(await invite(late, 'stranger+b@example.org')).toMatchObject(limited)
    expect((await invite(late, 'somebody@example.org')).status).toBe(201)
    await app.drain()
    expect(app.mails.filter(({ to }) => to.toLowerCase().startsWith('stranger'))).toHaveLength(10)
    // A password reset can still be requested: invitations do not count against it.
    expect((await app.post('/auth/forgot-password', { email: EMAIL })).status).toBe(200)
    await app.drain()
    expect(mailedToken(app, 'Stranger@Example.org', 'reset-password')).toBeTruthy()

    app.clock.advance(HOUR)
    expect((await invite(await makeInstitute(app), EMAIL)).status).toBe(201)
  })

  test('counts mails, not refused invitations', async () => {
    await start({ config: { mailLimits: { ...DEFAULTS.mailLimits, invitationsAnHourToAddress: 2 } } })
    const institute = await makeInstitute(app)
    const EMAIL = 'stranger@example.org'
    const admin = await institute.member({ permissions: ['members.manage'] })
    const visitor = await impersonate(app, { userId: institute.ownerUserId, tenantId: institute.tenant.id })
    expect((await invite(institute, EMAIL)).status).toBe(201)
    const again = [
      await invite(institute, EMAIL),
      await invite(await makeInstitute(app), EMAIL, visitor),
      await institute.owner.post('/members', { email: EMAIL, roleId: institute.branchId }),
      await admin.post('/members', { email: 'free@example.org', roleId: institute.roles.owner }),
      await institute.owner.post('/members', { email: EMAIL, roleId: 'none' }),
    ]
    expect(again.map(({ status }) => status)).toEqual([409, 403, 404, 403, 422])
    expect((await invite(await makeInstitute(app), EMAIL)).status).toBe(201)
    expect(await invite(await makeInstitute(app), EMAIL)).toMatchObject(limited)
  })
})

describe('one institute', () => {
  const most = { ...DEFAULTS.mailLimits, invitationsAnHour: 3, invitationsADay: 5 }
  const many = (institute: TestInstitute, from: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => invite(institute, `guest-${from + n}@example.org`)))
  const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted()

  test('sends so many an hour and a day, concurrently or not; other institutes are not affected', async () => {
    await start({ config: { mailLimits: most, accessTokenSeconds: 2 * 24 * HOUR } })
    const [institute, other] = [await makeInstitute(app), await makeInstitute(app)]
    expect(statuses(await many(institute, 0, 8))).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    expect(statuses(await many(other, 100, 1))).toEqual([201])
    app.clock.advance(HOUR)
    expect(statuses(await many(institute, 200, 3))).toEqual([201, 201, 429])
    app.clock.advance(HOUR)
    const refused = await invite(institute, 'guest-300@example.org')
    expect(refused).toMatchObject(limited)
    expect(refused.headers.get('retry-after')).toBe(String(22 * HOUR))
    app.clock.advance(22 * HOUR)
    expect((await invite(institute, 'guest-300@example.org')).status).toBe(201)
  })

  test('that has used up its limit does not use up the address’s limit', async () => {
    await start({ config: { mailLimits: { ...most, invitationsAnHour: 1, invitationsAnHourToAddress: 1 } } })
    const [institute, other] = [await makeInstitute(app), await makeInstitute(app)]
    expect((await invite(institute, 'first@example.org')).status).toBe(201)
    for (let time = 0; time < 3; time += 1) expect((await invite(institute, 'second@example.org')).status).toBe(429)
    expect((await invite(other, 'second@example.org')).status).toBe(201)
  })
})

describe('the name of the institute', () => {
  test.each([
    ['a line break', 'Noor\nClick here'],
    ['ESC', 'Noor\u001b[2J'],
    ['the address of a page', 'Your prize: http://evil.example'],
    ['the address of a page without its scheme', 'Your prize: www.evil.example'],
  ])('must not contain %s, wherever it is set: 422', async (_, name) => {
    await start({ config: { mode: 'cloud', registration: true } })
    const { owner } = await makeInstitute(app)
    const person = { email: 'o@example.org', password: 'olive tree by the gate', fullName: 'Noor' }
    const replies = [
      await owner.patch('/settings', { name }),
      await app.post('/auth/register', { ...person, tenant: { slug: 'noor', name } }),
      await app.post('/auth/register', { ...person, fullName: name }),
      await app.post('/setup/bootstrap', {
        ...newInstitute({ app, serial: 1 }),
        institute: { ...newInstitute({ app, serial: 1 }).institute, name },
      }),
    ]
    for (const { status, body } of replies) {
      expect({ status, path: body.error.details?.issues[0].path.at(-1) }).toEqual({
        status: 422,
        path: expect.stringMatching(/^(name|fullName)$/),
      })
    }
  })

  test('is no link in the mail, whatever it looks like; it stays readable', async () => {
    await start()
    const institute = await makeInstitute(app)
    const name = 'evil.example/x?a=1 me@evil.example tel:+123 javascript:alert(1) evil。example St. Mary'
    expect((await institute.owner.patch('/settings', { name })).status).toBe(200)
    await invite(institute, 'nora@example.org')
    await app.drain()
    const mail = app.mails.find(({ to }) => to === 'nora@example.org')
    const { subject = '', text = '', html = '' } = mail ?? {}
    const link = new RegExp(`http://localhost:${app.app.config.port}/invitation\\?token=[\\w-]+`, 'g')
    for (const part of [subject, text, html]) {
      const rest = part.replaceAll(link, '')
      expect(rest).not.toMatch(/evil[.。]|@evil|tel:|javascript:|example\//)
      expect(rest.replaceAll('\u2060', '')).toContain(part === html ? name.replaceAll('&', '&amp;') : name)
    }
    expect(text.match(link)).toHaveLength(1)
    expect(
      [...html.matchAll(/href="([^"]*)"/g)].every(([, href]) =>
        href?.startsWith(`http://localhost:${app.app.config.port}/`),
      ),
    ).toBe(true)
  })
})

test('registering does not flood an inbox: it sends no more links than the address may get', async () => {
  await start({ config: { registration: true } })
  for (let n = 0; n < 13; n += 1) {
    const email = `stranger+${n}@example.org`
    const person = { email, password: 'olive tree by the gate', fullName: 'Stranger' }
    expect((await app.post('/auth/register', person)).status).toBe(201)
  }
  await app.drain()
  expect(app.mails).toHaveLength(10)
})
