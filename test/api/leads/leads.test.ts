import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newCourse, newGroup } from '../examples/academics.ts'
import { newApiKey } from '../examples/integrations.ts'
import { enquiry, registration, visitor } from '../examples/leads.ts'

let app: TestApp
let institute: TestInstitute
let world: World
let owner: Client
let writes: () => Promise<Write[]>

const add = async (more: object = {}, as: Client = owner) => {
  const { status, body } = await as.post('/leads', { ...enquiry(), ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const get = async (id: string, as: Client = owner) => (await as.get(`/leads/${id}`)).body
const convert = (id: string, as: Client = owner) => as.post(`/leads/${id}/convert`)

/** @returns {leadId, studentId} of a registration on the institute's website */
const registered = async (more: object = {}, at: World = world) => {
  const { as, headers } = await visitor(at)
  const { status, body } = await as.send('POST', '/public/registrations', {
    body: { ...registration(), ...more },
    headers,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { leadId: string; studentId: string }
}

const freshWorld = async (): Promise<World> => worldOf(app, await makeInstitute(app))

beforeAll(async () => {
  app = await startApp({ config: NO_LIMITS })
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
  owner = institute.owner
  writes = await watchWrites(app)
})
afterAll(() => app.close())

describe('POST /leads', () => {
  test('records a lead without a student', async () => {
    const at = await freshWorld()
    const courseId = await newCourse(at)
    const { status, body } = await at.owner.post('/leads', {
      firstName: 'Omar',
      lastName: 'Aziz',
      phone: '050-765 4321',
      email: 'omar@example.org',
      guardian: { firstName: 'Mona', lastName: 'Aziz', phone: '0521112233' },
      courseId,
      courseInterest: 'Evenings',
      message: 'Called at noon',
      locale: 'he',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      source: 'manual',
      status: 'new',
      firstName: 'Omar',
      lastName: 'Aziz',
      phone: '+972507654321',
      email: 'omar@example.org',
      guardian: { firstName: 'Mona', lastName: 'Aziz', phone: '+972521112233', email: null },
      studentId: null,
      guardianId: null,
      guardianNameDiffers: false,
      courseId,
      groupId: null,
      courseInterest: 'Evenings',
      message: 'Called at noon',
      locale: 'he',
      assignedToUserId: null,
      note: null,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await at.owner.get(`/leads/${body.id}`)).body).toEqual(body)
    expect(await eventsOf(app, at.institute)).toMatchObject([
      {
        type: 'lead.created',
        data: { leadId: body.id, source: 'manual', courseId, groupId: null, locale: 'he', status: 'new' },
      },
    ])
    expect(await auditOf(app, at.institute, 'leads.create')).toMatchObject([
      { entity_type: 'lead', entity_id: body.id, before: null, after: body, actor_type: 'user' },
    ])
    expect((await at.owner.get('/students')).body.data).toEqual([])
    expect((await at.owner.get('/guardians')).body.data).toEqual([])
  })

  test('takes an assignee and a note at once; an assignee who is not a member is 404', async () => {
    const care = { assignedToUserId: institute.ownerUserId, note: 'Calls\nback' }
    const lead = await add(care)
    expect(lead).toMatchObject(care)
    expect(await get(lead.id)).toEqual(lead)
    const stranger = { firstName: 'A', lastName: 'B', phone: '0501234567', assignedToUserId: lead.id }
    expect((await owner.post('/leads', stranger)).status).toBe(404)
  })

  test('its event contains no personal data', async () => {
    const at = await freshWorld()
    const { id } = await add({ message: 'secret words', email: 'omar@example.org' }, at.owner)
    const [event] = await eventsOf(app, at.institute, 'lead.created')
    expect(Object.keys(event).toSorted()).toEqual(['courseId', 'groupId', 'leadId', 'locale', 'source', 'status'])
    expect(event.leadId).toBe(id)
  })

  test('the source is that of the caller, unless the body names one', async () => {
    const key = app.as((await newApiKey(world, { permissions: ['leads.write'] })).key)
    expect((await add({}, key)).source).toBe('api')
    expect((await add({ source: 'import' }, key)).source).toBe('import')
    expect((await add({ source: 'widget' })).source).toBe('widget')
    expect((await owner.post('/leads', { ...enquiry(), source: 'street' })).status).toBe(422)
  })

  test('a group sets the course; a group of another institute, or an unknown one, is 404', async () => {
    const groupId = await newGroup(world)
    const { courseId } = (await owner.get(`/groups/${groupId}`)).body
    expect(await add({ groupId })).toMatchObject({ groupId, courseId })
    const elsewhere = await freshWorld()
    for (const wish of [{ groupId: await newGroup(elsewhere) }, { courseId: await newCourse(elsewhere) }]) {
      expect((await owner.post('/leads', { ...enquiry(), ...wish })).status).toBe(404)
    }
  })

  test.each([
    ['no phone', { phone: undefined }, ['phone']],
    ['a phone that is none', { phone: '12' }, ['phone']],
    [
      'a guardian’s phone that is none',
      { guardian: { firstName: 'A', lastName: 'B', phone: 'x' } },
      ['guardian', 'phone'],
    ],
    ['a link for a name', { lastName: 'http://evil.example' }, ['lastName']],
  ])('%s is 422', async (_, more, path) => {
    const { status, body } = await owner.post('/leads', { ...enquiry(), ...more })
    expect([status, body.error.details.issues[0].path]).toEqual([422, path])
  })
})

describe('GET /leads', () => {
  test('newest first, filtered by status, course, assignee and words, alone and together', async () => {
    const at = await freshWorld()
    const { userId } = await at.institute.member({ role: 'front_desk' })
    const courseId = await newCourse(at)
    const guardian = { firstName: 'Zaynab', lastName: 'Khoury', phone: '+972541234567' }
    const one = await add({ firstName: 'إلياس', lastName: 'خوري', courseId, guardian }, at.owner)
    const two = await add({ firstName: 'Noa', lastName: 'Peretz', email: 'noa@peretz.example' }, at.owner)
    const three = await add({ firstName: 'Noa', lastName: 'Levi', courseId }, at.owner)
    await at.owner.patch(`/leads/${two.id}`, { status: 'lost', assignedToUserId: userId })
    await at.owner.patch(`/leads/${three.id}`, { status: 'contacted', assignedToUserId: userId })
    const found = async (query: string): Promise<string[]> =>
      (await at.owner.get(`/leads?${query}`)).body.data.map(({ id }: { id: string }) => id)
    const q = (words: string) => found(`q=${encodeURIComponent(words)}`)
    expect(await found('')).toEqual([three.id, two.id, one.id])
    expect(await found('status=new')).toEqual([one.id])
    expect(await found(`courseId=${courseId}`)).toEqual([three.id, one.id])
    expect(await found(`assignedToUserId=${userId}`)).toEqual([three.id, two.id])
    expect(await found(`assignedToUserId=${userId}&status=lost&q=noa`)).toEqual([two.id])
    expect(await q('noa')).toEqual([three.id, two.id])
    expect(await q('الياس')).toEqual([one.id])
    expect(await q('zaynab 0541234')).toEqual([one.id])
    expect(await q('peretz.example')).toEqual([two.id])
    const first = (await at.owner.get('/leads?limit=2')).body
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([three.id, two.id])
    expect(await found(`limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).toEqual([one.id])
    expect((await at.owner.get('/leads?status=won')).status).toBe(422)
  })
})

describe('PATCH /leads/{id}', () => {
  test('sets status, assignee and notes; omitted fields stay', async () => {
    const { userId } = await institute.member({ role: 'front_desk' })
    const lead = await add()
    app.clock.advance(60)
    const { status, body } = await owner.patch(`/leads/${lead.id}`, {
      status: 'contacted',
      assignedToUserId: userId,
      note: 'Calls back\non Monday',
      firstName: 'Other',
      studentId: lead.id,
    })
    const changed = {
      ...lead,
      status: 'contacted',
      assignedToUserId: userId,
      note: 'Calls back\non Monday',
      updatedAt: app.clock.now(),
    }
    expect([status, body]).toEqual([200, changed])
    app.clock.advance(60)
    expect((await owner.patch(`/leads/${lead.id}`, { status: 'lost', note: null })).body).toEqual({
      ...changed,
      status: 'lost',
      note: null,
      updatedAt: app.clock.now(),
    })
    expect(await get(lead.id)).toMatchObject({ status: 'lost', assignedToUserId: userId })
    expect((await owner.patch(`/leads/${lead.id}`, { assignedToUserId: null })).body.assignedToUserId).toBeNull()
  })

  test('writes nothing when nothing differs', async () => {
    const lead = await add()
    await owner.patch(`/leads/${lead.id}`, { status: 'contacted', note: 'x' })
    await writes()
    app.clock.advance(60)
    expect((await owner.patch(`/leads/${lead.id}`, { status: 'contacted', note: ' x ' })).status).toBe(200)
    expect((await owner.patch(`/leads/${lead.id}`, {})).status).toBe(200)
    expect((await writes()).filter(({ table }) => table !== 'audit_entry')).toEqual([])
  })

  test('an assignee who is not a member is 404', async () => {
    const lead = await add()
    const other = await makeInstitute(app)
    for (const assignedToUserId of [other.ownerUserId, lead.id]) {
      expect((await owner.patch(`/leads/${lead.id}`, { assignedToUserId })).status).toBe(404)
    }
  })

  test('the status converted can be neither set nor left: 409; other fields of a converted lead can change', async () => {
    const { id } = await add()
    expect((await owner.patch(`/leads/${id}`, { status: 'converted' })).status).toBe(409)
    await convert(id)
    for (const status of ['new', 'contacted', 'lost']) {
      expect((await owner.patch(`/leads/${id}`, { status })).status).toBe(409)
    }
    const { status, body } = await owner.patch(`/leads/${id}`, { status: 'converted', note: 'Welcome' })
    expect([status, body.status, body.note]).toEqual([200, 'converted', 'Welcome'])
  })

  test('losing a lead does not change its student', async () => {
    const { leadId, studentId } = await registered()
    await owner.patch(`/leads/${leadId}`, { status: 'lost' })
    expect((await owner.get(`/students/${studentId}`)).body.status).toBe('lead')
  })
})
