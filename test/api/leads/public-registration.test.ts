import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newCourse, newGroup } from '../examples/academics.ts'
import { newApiKey } from '../examples/integrations.ts'
import { registration, SITE } from '../examples/leads.ts'

let app: TestApp
let institute: TestInstitute
let site: Client
let written: () => Promise<Write[]>

/** A client that acts as a page of the institute's website. */
const pageOf = async (of: Pick<TestInstitute, 'owner'>, allowedOrigins = [SITE]): Promise<Client> =>
  app.as((await newApiKey(of, { kind: 'publishable', allowedOrigins })).key)

const register = (
  body: object = registration(),
  { from = site, headers = {} }: { from?: Client; headers?: object } = {},
) => from.send('POST', '/public/registrations', { body, headers: { origin: SITE, ...headers } })

const fresh = async (options: Parameters<typeof makeInstitute>[1] = {}) => {
  const made = await makeInstitute(app, options)
  return { ...made, from: await pageOf(made) }
}

/** The writes since the last call, without the stored replies for repeats. */
const kept = async () => (await written()).filter(({ table }) => table !== 'idempotency_record')

const set = (of: TestInstitute, values: object) =>
  app.app.database.write((db) => db.updateTable('tenant').set(values).where('id', '=', of.tenant.id).execute())

beforeAll(async () => {
  app = await startApp({ config: { ...NO_LIMITS, accessTokenSeconds: 86_400 } })
  institute = await makeInstitute(app)
  site = await pageOf(institute)
  written = await watchWrites(app)
})
afterAll(() => app.close())

describe('POST /public/registrations', () => {
  test('makes a lead, a student of status lead with the tag widget-lead in the default branch, and a guardian who is primary and payer', async () => {
    const { owner, from, branchId, ...rest } = await fresh({ defaultLocale: 'ar' })
    await owner.post('/branches', { name: 'North' })
    const courseId = await newCourse(worldOf(app, { ...rest, owner, branchId }), { isPublic: true })
    const { status, body } = await register(
      {
        firstName: ' Yara ',
        lastName: 'Nasser',
        email: 'yara@example.org',
        phone: '0501234567',
        guardian: { firstName: 'Hala', lastName: 'Nasser', phone: '052-765 4321', email: 'hala@example.org' },
        locale: 'he',
        courseId,
        courseInterest: 'Evening English',
        message: 'Is there a place?\nOn Mondays?',
        status: 'active',
        branchId: 'elsewhere',
      },
      { from },
    )
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toEqual({ leadId: expect.any(String), studentId: expect.any(String) })
    const { leadId, studentId } = body

    const student = (await owner.get(`/students/${studentId}`)).body
    expect(student).toMatchObject({
      branchId,
      studentNumber: 'S-000001',
      fullName: 'Yara Nasser',
      status: 'lead',
      email: 'yara@example.org',
      phone: '+972501234567',
      tags: ['widget-lead'],
    })
    expect((await owner.get('/students?tag=widget-lead')).body.data).toHaveLength(1)
    const { data: links } = (await owner.get(`/students/${studentId}/guardians`)).body
    expect(links).toEqual([
      {
        guardianId: expect.any(String),
        relationship: 'guardian',
        isPrimary: true,
        isPayer: true,
        seesLearning: true,
        seesMoney: true,
        guardian: { firstName: 'Hala', lastName: 'Nasser', phone: '+972527654321' },
      },
    ])
    const { guardianId } = links[0]
    expect((await owner.get(`/guardians/${guardianId}`)).body).toMatchObject({
      email: 'hala@example.org',
      preferredLocale: 'he',
      userId: null,
    })
    expect((await owner.get(`/leads/${leadId}`)).body).toEqual({
      id: leadId,
      source: 'widget',
      status: 'new',
      firstName: 'Yara',
      lastName: 'Nasser',
      phone: '+972501234567',
      email: 'yara@example.org',
      guardian: { firstName: 'Hala', lastName: 'Nasser', phone: '+972527654321', email: 'hala@example.org' },
      studentId,
      guardianId,
      guardianNameDiffers: false,
      courseId,
      groupId: null,
      courseInterest: 'Evening English',
      message: 'Is there a place?\nOn Mondays?',
      locale: 'he',
      assignedToUserId: null,
      note: null,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    const told = { ...rest, owner, branchId }
    expect(await eventsOf(app, told, 'student.created')).toEqual([
      { studentId, branchId, studentNumber: 'S-000001', firstName: 'Yara', lastName: 'Nasser', status: 'lead' },
    ])
    expect(await eventsOf(app, told, 'lead.created')).toEqual([
      { leadId, source: 'widget', courseId, groupId: null, locale: 'he', status: 'new' },
    ])
  })

  test('needs only the names and the guardian’s phone; the language is then the institute’s', async () => {
    const { from, owner } = await fresh({ defaultLocale: 'ar' })
    const { body } = await register(registration(), { from })
    expect((await owner.get(`/leads/${body.leadId}`)).body).toMatchObject({
      phone: null,
      email: null,
      courseId: null,
      courseInterest: null,
      message: null,
      locale: 'ar',
    })
  })

  test('leaves audit entries of the key, and no captcha token', async () => {
    const made = await fresh()
    const body = { ...registration(), captchaToken: 'a-token-of-a-provider' }
    expect((await register(body, { from: made.from })).status).toBe(201)
    const entries = await auditOf(app, made, 'public-registrations.create')
    expect(entries.map(({ entity_type: type }) => type).toSorted()).toEqual([
      'guardian',
      'guardian_link',
      'lead',
      'student',
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor_type: 'api_key', metadata: { apiKeyId: expect.any(String) } })
    }
    expect(JSON.stringify(await written())).not.toContain('a-token-of-a-provider')
  })

  test.each([
    ['no last name', { lastName: undefined }, ['lastName']],
    ['no guardian', { guardian: undefined }, ['guardian']],
    ['a guardian without a phone', { guardian: { firstName: 'A', lastName: 'B' } }, ['guardian', 'phone']],
    [
      'a guardian’s phone that is none',
      { guardian: { firstName: 'A', lastName: 'B', phone: 'call me' } },
      ['guardian', 'phone'],
    ],
    ['a phone that is none', { phone: '12' }, ['phone']],
    ['a link for a name', { firstName: 'see www.evil.example' }, ['firstName']],
    ['a name of two lines', { lastName: 'Nasser\nBcc: a@b.example' }, ['lastName']],
    ['a long wish', { courseInterest: 'x'.repeat(201) }, ['courseInterest']],
    ['a long message', { message: 'x'.repeat(2001) }, ['message']],
    ['another language', { locale: 'fr' }, ['locale']],
  ])('refuses %s with 422, and stores nothing', async (_, more, path) => {
    await written()
    const { status, body } = await register({ ...registration(), ...more })
    expect(status).toBe(422)
    expect(body.error.details.issues[0].path).toEqual(path)
    expect(await kept()).toEqual([])
  })

  test('is 409 when the student numbers are used up, and stores nothing', async () => {
    const made = await fresh()
    expect((await register(registration(), { from: made.from })).status).toBe(201)
    await app.app.database.write((db) =>
      db.updateTable('tenant_counter').set({ value: 999_999 }).where('tenant_id', '=', made.tenant.id).execute(),
    )
    const { status, body } = await register(registration(), { from: made.from })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await made.owner.get('/guardians')).body.data).toHaveLength(1)
  })
})

describe('a guardian whose phone is known', () => {
  test('is linked unchanged, and the reply is like that for any other', async () => {
    const { owner, from } = await fresh()
    const { phone } = registration().guardian
    const known = (await owner.post('/guardians', { firstName: 'Ruth', lastName: 'Levi', phone, email: 'r@b.org' }))
      .body
    const one = await register(registration(), { from })
    const guardian = { firstName: 'LEVI', lastName: 'Ruth', phone, email: 'eve@evil.org' }
    const two = await register({ ...registration(), locale: 'he', guardian }, { from })
    expect([one.status, two.status]).toEqual([201, 201])
    expect(Object.keys(two.body)).toEqual(Object.keys(one.body))
    expect((await owner.get(`/guardians/${known.id}`)).body).toEqual(known)
    expect((await owner.get(`/students/${two.body.studentId}/guardians`)).body.data).toMatchObject([
      { guardianId: known.id, isPrimary: true, isPayer: true },
    ])
    expect((await owner.get(`/leads/${two.body.leadId}`)).body).toMatchObject({
      guardianId: known.id,
      guardianNameDiffers: false,
      guardian: { email: 'eve@evil.org' },
    })
  })

  test('is one guardian after 50 concurrent registrations', async () => {
    const { owner, from } = await fresh()
    const { guardian } = registration()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        register({ firstName: `Child ${n}`, lastName: 'Nasser', guardian }, { from }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await owner.get('/guardians')).body.data).toHaveLength(1)
    const { data: students } = (await owner.get('/students?limit=100')).body
    expect(new Set(students.map(({ studentNumber }: { studentNumber: string }) => studentNumber)).size).toBe(50)
    const { data: leads } = (await owner.get('/leads?limit=100')).body
    expect(new Set(leads.map(({ guardianId }: { guardianId: string }) => guardianId)).size).toBe(1)
    expect(new Set(leads.map(({ studentId }: { studentId: string }) => studentId)).size).toBe(50)
  })

  test('of another institute is unknown here', async () => {
    const { owner, from } = await fresh()
    const { guardian } = registration()
    await institute.owner.post('/guardians', guardian)
    expect((await register({ ...registration(), guardian }, { from })).status).toBe(201)
    expect((await owner.get('/guardians')).body.data).toMatchObject([{ phone: guardian.phone }])
  })
})

describe('a course or a group', () => {
  let own: TestInstitute & { from: Client }
  let publicCourse: string
  beforeAll(async () => {
    own = await fresh()
    publicCourse = await newCourse(worldOf(app, own), { isPublic: true })
  })
  const group = (more: object) => newGroup(worldOf(app, own), more)
  const ask = (wish: object) => register({ ...registration(), ...wish }, own)

  test('sets the course', async () => {
    const groupId = await group({ courseId: publicCourse, status: 'planned' })
    for (const wish of [{ groupId }, { groupId, courseId: publicCourse }]) {
      const { body } = await ask(wish)
      expect((await own.owner.get(`/leads/${body.leadId}`)).body).toMatchObject({ groupId, courseId: publicCourse })
    }
  })

  test('that is not offered is 404, for any reason, and nothing is stored', async () => {
    const world = worldOf(app, own)
    const elsewhere = worldOf(app, institute)
    const privateCourse = await newCourse(world)
    const closed = await newCourse(world, { isPublic: true, isActive: false })
    const wishes = [
      { courseId: '01a20064-0000-7000-8000-000000000001' },
      { courseId: await newCourse(elsewhere, { isPublic: true }) },
      { courseId: privateCourse },
      { courseId: closed },
      { groupId: '01a20064-0000-7000-8000-000000000001' },
      { groupId: await newGroup(elsewhere) },
      { groupId: await group({ courseId: privateCourse }) },
      { groupId: await group({ courseId: closed }) },
      { groupId: await group({ courseId: publicCourse, status: 'completed' }) },
      { groupId: await group({ courseId: publicCourse }), courseId: privateCourse },
    ]
    await written()
    const messages = new Set<string>()
    for (const wish of wishes) {
      const { status, body } = await ask(wish)
      expect([status, body.error.code], JSON.stringify(wish)).toEqual([404, 'NOT_FOUND'])
      messages.add(body.error.message)
    }
    expect(messages.size).toBe(1)
    expect(await kept()).toEqual([])
  })

  test('that was closed and is open again takes registrations', async () => {
    const courseId = await newCourse(worldOf(app, own), { isPublic: true })
    const statuses = []
    for (const isActive of [true, false, true]) {
      await own.owner.patch(`/courses/${courseId}`, { isActive })
      statuses.push((await ask({ courseId })).status)
    }
    expect(statuses).toEqual([201, 404, 201])
  })
})

describe('who may register', () => {
  test('nobody may, while the institute has switched registration off', async () => {
    const { owner, from } = await fresh()
    await owner.patch('/settings', { registration: { enabled: false } })
    const { status, body } = await register(registration(), { from })
    expect([status, body.error.code]).toEqual([403, 'REGISTRATION_DISABLED'])
    expect((await owner.get('/students')).body.data).toEqual([])
    await owner.patch('/settings', { registration: { enabled: true } })
    expect((await register(registration(), { from })).status).toBe(201)
  })

  test.each([
    ['no origin', undefined],
    ['another origin', 'https://evil.example'],
    ['a longer one', 'https://www.example.org.evil.example'],
    ['another port', 'https://www.example.org:8443'],
    ['no encryption', 'http://www.example.org'],
    ['a page without an origin', 'null'],
  ])('a registration with %s is 403', async (_, origin) => {
    const { status, body } = await site.send('POST', '/public/registrations', {
      body: registration(),
      headers: origin === undefined ? {} : { origin },
    })
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('the key decides: none, a revoked one, one without origins, a secret one, a user', async () => {
    const { owner } = institute
    const permissions = ['leads.write', 'students.write']
    const revoked = await newApiKey(institute, { kind: 'publishable', allowedOrigins: [SITE] })
    await owner.delete(`/api-keys/${revoked.id}`)
    const callers: [Client, number, string][] = [
      [app, 401, 'UNAUTHORIZED'],
      [app.as(revoked.key), 401, 'UNAUTHORIZED'],
      [await pageOf(institute, []), 403, 'FORBIDDEN'],
      [app.as((await newApiKey(institute, { permissions })).key), 403, 'FORBIDDEN'],
      [owner, 403, 'FORBIDDEN'],
    ]
    for (const [from, status, code] of callers) {
      const reply = await register(registration(), { from })
      expect([reply.status, reply.body.error.code]).toEqual([status, code])
    }
  })

  test('the registration goes to the institute of the key', async () => {
    const other = await fresh()
    const before = (await institute.owner.get('/leads?limit=100')).body
    expect((await register(registration(), other)).status).toBe(201)
    expect((await other.owner.get('/leads')).body.data).toHaveLength(1)
    expect((await institute.owner.get('/leads?limit=100')).body).toEqual(before)
  })

  test.each([
    ['archived', { status: 'archived' }, 403, 'TENANT_SUSPENDED'],
    ['locked', { locked_at: '2026-03-01T00:00:00.000Z' }, 402, 'SUBSCRIPTION_SUSPENDED'],
  ])('nobody may at an institute that is %s', async (_, values, status, code) => {
    const made = await fresh()
    await set(made, values)
    const reply = await register(registration(), made)
    expect([reply.status, reply.body.error.code]).toEqual([status, code])
    const courses = await made.from.send('GET', '/public/courses', { headers: { origin: SITE } })
    expect([courses.status, courses.body.error.code]).toEqual([status, code])
  })
})

describe('a registration that is sent twice', () => {
  test('without an Idempotency-Key it is 428', async () => {
    const { status, body } = await register(registration(), { headers: { 'idempotency-key': '' } })
    expect([status, body.error.code]).toEqual([428, 'IDEMPOTENCY_KEY_REQUIRED'])
  })

  test('with the same Idempotency-Key, one after the other or concurrently, it is one registration', async () => {
    const { owner, from } = await fresh()
    const body = registration()
    const send = (key: string, firstName = 'Yara') =>
      register({ ...body, firstName }, { from, headers: { 'idempotency-key': key } })
    const first = await send('a-visit')
    const again = await send('a-visit')
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const replies = await Promise.all(Array.from({ length: 5 }, () => send('another', 'Sami')))
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(replies.some(({ status }) => status === 201)).toBe(true)
    expect((await owner.get('/leads')).body.data).toHaveLength(2)
    expect((await owner.get('/guardians')).body.data).toHaveLength(1)
  })

  test('after a refusal the same Idempotency-Key can be used again', async () => {
    const { owner, from } = await fresh()
    const body = registration()
    const send = () => register(body, { from, headers: { 'idempotency-key': 'a-visit' } })
    await owner.patch('/settings', { registration: { enabled: false } })
    expect((await send()).status).toBe(403)
    await owner.patch('/settings', { registration: { enabled: true } })
    expect((await send()).status).toBe(201)
  })
})
