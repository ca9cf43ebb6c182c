import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { makeReference } from '#kit/reference.ts'
import { newPhone } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

const names = { firstName: 'Ruth', lastName: 'Levi' }
const mother = { relationship: 'mother', isPrimary: true, isPayer: true }

const add = async (more: Record<string, unknown> = {}, by: Client = owner) => {
  const { status, body } = await by.post('/guardians', { ...names, phone: newPhone(), ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const addStudent = async (to: TestInstitute, branchId = to.branchId): Promise<string> =>
  (await to.owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body.id

const ids = (page: { body: { data: { id: string }[] } }): string[] => page.body.data.map(({ id }) => id)

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

describe('POST /guardians', () => {
  test('answers 201 with the guardian; preferredLocale is ar by default, and no event is recorded', async () => {
    const fresh = await makeInstitute(app)
    const { status, body } = await fresh.owner.post('/guardians', {
      ...names,
      phone: '050-123 4567',
      email: '',
      nationalId: '',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      ...names,
      phone: '+972501234567',
      email: null,
      nationalId: null,
      preferredLocale: 'ar',
      address: null,
      userId: null,
      erasedAt: null,
      createdAt: app.clock.now(),
      updatedAt: app.clock.now(),
    })
    expect((await fresh.owner.get(`/guardians/${body.id}`)).body).toEqual(body)
    expect(await auditOf(app, fresh, 'guardians.create')).toMatchObject([
      { entity_type: 'guardian', entity_id: body.id, after: body },
    ])
    expect(await eventsOf(app, fresh)).toEqual([])
  })

  test('takes all fields', async () => {
    const given = {
      email: 'ruth@example.org',
      nationalId: '123456782',
      preferredLocale: 'he',
      address: { line1: 'Hill 1', city: 'Haifa', country: 'IL' },
      userId: (await institute.member({ role: 'guardian' })).userId,
    }
    expect(await add(given)).toMatchObject(given)
  })

  test('the phone is unique within the institute, however it is written: 409', async () => {
    const fresh = await makeInstitute(app)
    const first = await add({ phone: '0501112233' }, fresh.owner)
    const again = await fresh.owner.post('/guardians', { ...names, phone: '+972 50-111-2233' })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    const other = await add({}, fresh.owner)
    expect((await fresh.owner.patch(`/guardians/${other.id}`, { phone: first.phone })).status).toBe(409)
    await add({ phone: first.phone }, (await makeInstitute(app)).owner)
  })

  test('of many with one phone at once, one is added', async () => {
    const phone = newPhone()
    const replies = await Promise.all(Array.from({ length: 8 }, () => owner.post('/guardians', { ...names, phone })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
  })

  test.each([
    ['phone', undefined],
    ['phone', ''],
    ['phone', 'call me'],
    ['email', 'nowhere'],
    ['firstName', 'x'.repeat(101)],
    ['lastName', ''],
    ['nationalId', '1'.repeat(51)],
    ['preferredLocale', 'fr'],
    ['userId', 'me'],
    ['address', { country: 'Israel' }],
  ])('%s %j is 422', async (field, value) => {
    const { status, body } = await owner.post('/guardians', { ...names, phone: newPhone(), [field]: value })
    expect(status).toBe(422)
    expect(body.error.details.issues[0].path[0]).toBe(field)
  })

  test('userId must be a member of this institute, else 404, and links to one guardian only, else 409', async () => {
    const stranger = await makeInstitute(app)
    for (const userId of [stranger.ownerUserId, institute.branchId]) {
      const refused = await owner.post('/guardians', { ...names, phone: newPhone(), userId })
      expect(refused).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
    const { userId } = await institute.member({ role: 'guardian' })
    const { id } = await add({ userId })
    const refused = await owner.post('/guardians', { ...names, phone: newPhone(), userId })
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    const other = await add()
    expect((await owner.patch(`/guardians/${other.id}`, { userId })).status).toBe(409)
    expect((await owner.patch(`/guardians/${other.id}`, { userId: stranger.ownerUserId })).status).toBe(404)
    await owner.patch(`/guardians/${id}`, { userId: null })
    expect((await owner.patch(`/guardians/${other.id}`, { userId })).body.userId).toBe(userId)
  })
})

describe('GET /guardians', () => {
  test('is a page, newest first; q searches name and phone', async () => {
    const fresh = await makeInstitute(app)
    const ruth = await add({ firstName: 'רות', phone: '050-111 2233' }, fresh.owner)
    const noor = await add({ firstName: 'نُور', lastName: 'حدّاد', email: 'noor@example.org' }, fresh.owner)
    const list = async (query: string) => ids(await fresh.owner.get(`/guardians?${query}`))
    expect(await list('')).toEqual([noor.id, ruth.id])
    const first = await fresh.owner.get('/guardians?limit=1')
    expect(first.body.data).toEqual([noor])
    expect(await list(`limit=1&cursor=${first.body.nextCursor}`)).toEqual([ruth.id])
    expect(await list('q=רות')).toEqual([ruth.id])
    expect(await list('q=حداد نور')).toEqual([noor.id])
    expect(await list(`q=${encodeURIComponent('+972 50 111')}`)).toEqual([ruth.id])
    expect(await list('q=050111')).toEqual([ruth.id])
    expect(await list('q=nobody')).toEqual([])
    expect((await fresh.owner.get('/guardians?q=')).status).toBe(422)
  })
})

describe('PATCH /guardians/{id}', () => {
  test('changes what is given and clears what is null', async () => {
    const fresh = await makeInstitute(app)
    const before = await add({ email: 'a@example.org', nationalId: '1', address: { city: 'Haifa' } }, fresh.owner)
    app.clock.advance(60)
    const given = {
      lastName: 'Cohen',
      phone: '0501112234',
      email: '',
      nationalId: null,
      address: null,
      preferredLocale: 'en',
    }
    const { status, body } = await fresh.owner.patch(`/guardians/${before.id}`, given)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...given, phone: '+972501112234', email: null, updatedAt: app.clock.now() })
    expect(await auditOf(app, fresh, 'guardians.update')).toMatchObject([{ entity_id: before.id, before, after: body }])
    expect(ids(await fresh.owner.get('/guardians?q=cohen'))).toEqual([before.id])
    app.clock.advance(60)
    expect((await fresh.owner.patch(`/guardians/${before.id}`, { lastName: 'Cohen' })).body).toEqual(body)
  })

  test.each([
    ['firstName', null],
    ['phone', null],
    ['phone', 'x'],
    ['preferredLocale', null],
  ])('%s %j is 422', async (field, value) => {
    const { id } = await add()
    expect((await owner.patch(`/guardians/${id}`, { [field]: value })).status).toBe(422)
  })
})

describe('DELETE /guardians/{id}', () => {
  test('is 409 while the guardian is linked to a student, else Ok and audited', async () => {
    const fresh = await makeInstitute(app)
    const before = await add({}, fresh.owner)
    const studentId = await addStudent(fresh)
    await fresh.owner.post(`/students/${studentId}/guardians`, { guardianId: before.id, ...mother })
    const refused = await fresh.owner.delete(`/guardians/${before.id}`)
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    await fresh.owner.delete(`/students/${studentId}/guardians/${before.id}`)
    expect(await fresh.owner.delete(`/guardians/${before.id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await fresh.owner.get(`/guardians/${before.id}`)).status).toBe(404)
    expect((await fresh.owner.delete(`/guardians/${before.id}`)).status).toBe(404)
    expect(await auditOf(app, fresh, 'guardians.delete')).toMatchObject([
      { entity_type: 'guardian', entity_id: before.id, before, after: null },
    ])
  })

  test('is 409 while another record refers to the guardian', async () => {
    const { id } = await add()
    await makeReference(app, institute, 'guardian', id)
    expect((await owner.delete(`/guardians/${id}`)).status).toBe(409)
  })
})

describe('a role for one branch', () => {
  let fresh: TestInstitute
  let north: string
  let clerk: Client
  let inMain: Client

  beforeAll(async () => {
    fresh = await makeInstitute(app)
    north = (await fresh.owner.post('/branches', { name: 'North' })).body.id
    clerk = await fresh.member({ role: 'front_desk', branchId: north })
    inMain = await fresh.member({ role: 'front_desk', branchId: fresh.branchId })
  })

  const seenBy = async (who: Client, id: string) => {
    const { status } = await who.get(`/guardians/${id}`)
    const listed = ids(await who.get('/guardians?limit=100')).includes(id)
    expect(listed).toBe(status === 200)
    return listed
  }

  test('reaches only the guardians of that branch’s students', async () => {
    const guardian = await add({}, fresh.owner)
    const link = { guardianId: guardian.id, ...mother }
    expect(await seenBy(clerk, guardian.id)).toBe(false)
    await fresh.owner.post(`/students/${await addStudent(fresh)}/guardians`, link)
    expect(await seenBy(clerk, guardian.id)).toBe(false)
    expect(await seenBy(inMain, guardian.id)).toBe(true)
    for (const reply of [
      await clerk.patch(`/guardians/${guardian.id}`, { lastName: 'x' }),
      await clerk.delete(`/guardians/${guardian.id}`),
      await clerk.post(`/students/${await addStudent(fresh, north)}/guardians`, link),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
    await fresh.owner.post(`/students/${await addStudent(fresh, north)}/guardians`, link)
    expect([await seenBy(clerk, guardian.id), await seenBy(inMain, guardian.id)]).toEqual([true, true])
  })

  test('still reaches a guardian whom it has just added, and links them', async () => {
    const guardian = await add({}, clerk)
    expect([await seenBy(clerk, guardian.id), await seenBy(inMain, guardian.id)]).toEqual([true, false])
    const studentId = await addStudent(fresh, north)
    const linked = await clerk.post(`/students/${studentId}/guardians`, { guardianId: guardian.id, ...mother })
    expect(linked.status).toBe(201)
    expect(await seenBy(clerk, guardian.id)).toBe(true)
    await fresh.owner.patch(`/students/${studentId}`, { branchId: fresh.branchId })
    expect([await seenBy(clerk, guardian.id), await seenBy(inMain, guardian.id)]).toEqual([false, true])
  })

  test.each(['the last link ends', 'the last student is deleted'])(
    'still reaches a guardian of its branch when %s',
    async (how) => {
      const guardian = await add({}, fresh.owner)
      const studentId = await addStudent(fresh, north)
      const second = await addStudent(fresh)
      for (const id of [studentId, second]) {
        await fresh.owner.post(`/students/${id}/guardians`, { guardianId: guardian.id, ...mother })
      }
      await fresh.owner.delete(`/students/${second}/guardians/${guardian.id}`)
      expect([await seenBy(clerk, guardian.id), await seenBy(inMain, guardian.id)]).toEqual([true, false])
      const path =
        how === 'the last link ends' ? `/students/${studentId}/guardians/${guardian.id}` : `/students/${studentId}`
      expect((await clerk.delete(path)).status).toBe(200)
      expect([await seenBy(clerk, guardian.id), await seenBy(inMain, guardian.id)]).toEqual([true, false])
      expect((await clerk.delete(`/guardians/${guardian.id}`)).status).toBe(200)
    },
  )

  test('gets 409 for a phone of another branch, without learning whose it is', async () => {
    const guardian = await add({}, inMain)
    const { status, body } = await clerk.post('/guardians', { ...names, phone: guardian.phone })
    expect(status).toBe(409)
    expect(body.error.details).toEqual({ reason: 'guardian_phone_taken' })
    expect(JSON.stringify(body)).not.toContain(guardian.id)
  })

  test('for two branches still reaches a guardian whom it added', async () => {
    const both = await fresh.member({ permissions: ['guardians.write'], branchId: north })
    await app.app.database.write((db) =>
      db
        .insertInto('role_assignment')
        .values({
          id: fresh.branchId,
          tenant_id: fresh.tenant.id,
          membership_id: both.membershipId,
          role_id: both.roleId,
          branch_id: fresh.branchId,
          created_at: app.clock.now(),
        } as never)
        .execute(),
    )
    const guardian = await add({}, both)
    expect(await seenBy(both, guardian.id)).toBe(true)
  })
})

test('guardians.write implies guardians.read, and guardians.read does not write', async () => {
  const { id } = await add()
  const writer = await institute.member({ permissions: ['guardians.write'] })
  expect((await writer.get(`/guardians/${id}`)).status).toBe(200)
  const reader = await institute.member({ permissions: ['guardians.read'] })
  expect((await reader.get('/guardians')).status).toBe(200)
  expect((await reader.delete(`/guardians/${id}`)).status).toBe(403)
})
