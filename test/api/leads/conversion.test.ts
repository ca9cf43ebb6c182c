import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_LIMITS, startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { watchWrites, type Write } from '#kit/writes.ts'
import { newCourse, newGroup } from '../examples/academics.ts'
import { enquiry, registration, visitor } from '../examples/leads.ts'
import { newPhone, newStudent } from '../examples/people.ts'

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

describe('POST /leads/{id}/convert', () => {
  test('moves the student of a registration to active', async () => {
    const at = await freshWorld()
    const { leadId, studentId } = await registered({}, at)
    const student = (await at.owner.get('/students')).body.data[0]
    const { status, body } = await at.owner.post(`/leads/${leadId}/convert`)
    expect([status, body]).toEqual([200, { ...student, status: 'active' }])
    expect((await at.owner.get(`/leads/${leadId}`)).body).toMatchObject({ status: 'converted', studentId })
    expect(await eventsOf(app, at.institute, 'student.status_changed')).toEqual([
      { studentId, previousStatus: 'lead', status: 'active' },
    ])
    expect(await eventsOf(app, at.institute, 'student.created')).toHaveLength(1)
    const entries = await auditOf(app, at.institute, 'leads.convert')
    expect(entries.map(({ entity_type: type }) => type).toSorted()).toEqual(['lead', 'student'])
    expect((await at.owner.post(`/leads/${leadId}/convert`)).body.error.code).toBe('CONFLICT')
  })

  test('makes a student and a guardian from a lead without a student', async () => {
    const at = await freshWorld()
    const guardian = { firstName: 'Mona', lastName: 'Aziz', phone: newPhone(), email: 'mona@example.org' }
    const lead = await add({ guardian, email: 'omar@example.org', locale: 'he' }, at.owner)
    const { status, body } = await convert(lead.id, at.owner)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      branchId: at.branchId,
      studentNumber: 'S-000001',
      firstName: 'Omar',
      lastName: 'Aziz',
      fullName: 'Omar Aziz',
      status: 'active',
      createdAt: app.clock.now(),
    })
    const { id: studentId } = body
    expect((await at.owner.get(`/students/${studentId}`)).body).toMatchObject({
      email: 'omar@example.org',
      phone: lead.phone,
      tags: [],
    })
    const [link] = (await at.owner.get(`/students/${studentId}/guardians`)).body.data
    expect(link).toMatchObject({ isPrimary: true, isPayer: true, guardian: { phone: guardian.phone } })
    expect(await get(lead.id, at.owner)).toEqual({
      ...lead,
      status: 'converted',
      studentId,
      guardianId: link.guardianId,
    })
    expect((await at.owner.get(`/guardians/${link.guardianId}`)).body).toMatchObject({
      email: 'mona@example.org',
      preferredLocale: 'he',
    })
    expect((await eventsOf(app, at.institute)).map(({ type, data }) => [type, data.status])).toEqual([
      ['lead.created', 'new'],
      ['student.created', 'lead'],
      ['student.status_changed', 'active'],
    ])
  })

  test('links a guardian with this phone unchanged, and works without a guardian', async () => {
    const guardian = { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() }
    const known = (await owner.post('/guardians', guardian)).body
    const lead = await add({ guardian: { ...guardian, firstName: 'Other' } })
    await convert(lead.id)
    expect((await get(lead.id)).guardianId).toBe(known.id)
    expect((await owner.get(`/guardians/${known.id}`)).body).toEqual(known)
    const alone = await add()
    const { body } = await convert(alone.id)
    expect((await owner.get(`/students/${body.id}/guardians`)).body.data).toEqual([])
  })

  test('a lost lead can be converted, and a student who left becomes active again', async () => {
    const { leadId, studentId } = await registered()
    await owner.patch(`/leads/${leadId}`, { status: 'lost' })
    await owner.post(`/students/${studentId}/status`, { status: 'withdrawn' })
    expect((await convert(leadId)).body).toMatchObject({ id: studentId, status: 'active' })
  })

  test('of ten concurrent conversions, one succeeds', async () => {
    const { id } = await add({ guardian: registration().guardian })
    const replies = await Promise.all(Array.from({ length: 10 }, () => convert(id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect((await owner.get(`/students?q=${encodeURIComponent((await get(id)).phone)}`)).body.data).toHaveLength(1)
  })

  test('is 409 when the student numbers are used up, and the lead stays as it was', async () => {
    const at = await freshWorld()
    await newStudent(at)
    const { id } = await add({}, at.owner)
    await app.app.database.write((db) =>
      db
        .updateTable('tenant_counter')
        .set({ value: 999_999 })
        .where('tenant_id', '=', at.institute.tenant.id)
        .execute(),
    )
    expect((await convert(id, at.owner)).status).toBe(409)
    expect(await get(id, at.owner)).toMatchObject({ status: 'new', studentId: null })
  })
})

describe('a lead follows its student', () => {
  test('making the student active in another way converts the lead', async () => {
    const at = await freshWorld()
    const { leadId, studentId } = await registered({}, at)
    expect((await at.owner.post(`/students/${studentId}/status`, { status: 'active' })).status).toBe(200)
    expect(await get(leadId, at.owner)).toMatchObject({ status: 'converted' })
    expect((await convert(leadId, at.owner)).status).toBe(409)
    const entries = await auditOf(app, at.institute, 'students.change-status')
    expect(entries.map(({ entity_type: type }) => type).toSorted()).toEqual(['lead', 'student'])
  })

  test('a student who leaves does not change the lead', async () => {
    const { leadId, studentId } = await registered()
    await owner.post(`/students/${studentId}/status`, { status: 'withdrawn' })
    expect((await get(leadId)).status).toBe('new')
  })

  test('deleting the student deletes the lead, and releases guardian and course', async () => {
    const courseId = await newCourse(world, { isPublic: true })
    const { leadId, studentId } = await registered({ courseId })
    const { guardianId } = await get(leadId)
    expect((await owner.delete(`/courses/${courseId}`)).status).toBe(409)
    expect((await owner.delete(`/guardians/${guardianId}`)).status).toBe(409)
    expect((await owner.delete(`/students/${studentId}`)).status).toBe(200)
    expect((await owner.get(`/leads/${leadId}`)).status).toBe(404)
    expect((await owner.delete(`/guardians/${guardianId}`)).status).toBe(200)
    expect((await owner.delete(`/courses/${courseId}`)).status).toBe(200)
  })

  test('moves with the student to another branch, out of reach of the first one', async () => {
    const at = await freshWorld()
    const north = (await at.owner.post('/branches', { name: 'North' })).body.id as string
    const main = await at.institute.member({ role: 'front_desk', branchId: at.branchId })
    const other = await at.institute.member({ role: 'front_desk', branchId: north })
    const { leadId, studentId } = await registered({}, at)
    const seen = async () =>
      Promise.all(
        [main, other].map(async (client) => [
          (await client.get(`/leads/${leadId}`)).status,
          (await client.get('/leads')).body.data.length,
          (await client.patch(`/leads/${leadId}`, { note: 'x' })).status,
        ]),
      )
    const reached = [200, 1, 200]
    const beyond = [404, 0, 404]
    expect(await seen()).toEqual([reached, beyond])
    await at.owner.patch(`/students/${studentId}`, { branchId: north })
    expect(await seen()).toEqual([beyond, reached])
    expect((await convert(leadId, main)).status).toBe(404)
    expect((await convert(leadId, other)).body).toMatchObject({ branchId: north, status: 'active' })
  })
})

describe('under a branch', () => {
  let at: World
  let north: string
  let clerk: Client
  let main: Client
  beforeAll(async () => {
    at = await freshWorld()
    north = (await at.owner.post('/branches', { name: 'North' })).body.id
    clerk = await at.institute.member({ role: 'front_desk', branchId: north })
    main = await at.institute.member({ role: 'front_desk', branchId: at.branchId })
  })

  test('a lead belongs to the branch of its creator, and so does its student', async () => {
    const lead = await add({}, clerk)
    expect((await main.get(`/leads/${lead.id}`)).status).toBe(404)
    expect(await get(lead.id, clerk)).toEqual(lead)
    expect((await convert(lead.id, clerk)).body.branchId).toBe(north)
    expect((await get(lead.id, clerk)).status).toBe('converted')
    expect((await main.get(`/leads/${lead.id}`)).status).toBe(404)
  })

  test('a lead by a caller of the whole institute belongs to the default branch, or to that of its group', async () => {
    const lead = await add({}, at.owner)
    expect((await clerk.get(`/leads/${lead.id}`)).status).toBe(404)
    expect((await main.get(`/leads/${lead.id}`)).status).toBe(200)
    const groupId = await newGroup({ ...at, branchId: north })
    const inNorth = await add({ groupId }, at.owner)
    expect((await clerk.get(`/leads/${inNorth.id}`)).status).toBe(200)
    expect((await convert(inNorth.id, at.owner)).body.branchId).toBe(north)
    expect((await main.post('/leads', { ...enquiry(), groupId })).status).toBe(404)
  })

  test('a guardian of another branch cannot be reached by phone: 409, and nothing is stored', async () => {
    const guardian = { firstName: 'Ruth', lastName: 'Levi', phone: newPhone() }
    const known = (await main.post('/guardians', guardian)).body
    const lead = await add({ guardian }, clerk)
    await writes()
    const { status, body } = await convert(lead.id, clerk)
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect(JSON.stringify(body)).not.toContain(known.id)
    expect(await get(lead.id, clerk)).toEqual(lead)
    expect(await writes()).toEqual([])
    expect((await convert(lead.id, at.owner)).status).toBe(200)
  })

  test('a teacher reaches no lead, whomever they teach', async () => {
    const teacher = await at.institute.member({ permissions: ['leads.read'], branchId: north })
    expect((await teacher.patch(`/leads/${(await add({}, clerk)).id}`, { note: 'x' })).status).toBe(403)
    const other = await at.institute.member({ role: 'teacher' })
    expect((await other.get('/leads')).status).toBe(403)
  })
})

test('a branch with leads cannot be deleted', async () => {
  const at = await freshWorld()
  const north = (await at.owner.post('/branches', { name: 'North', isDefault: true })).body.id
  await add({}, at.owner)
  await at.owner.patch(`/branches/${at.branchId}`, { isDefault: true })
  expect((await at.owner.delete(`/branches/${north}`)).status).toBe(409)
})
