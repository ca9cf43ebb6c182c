import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newPhone } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const addStudent = async (branchId = institute.branchId): Promise<string> =>
  (await owner.post('/students', { branchId, firstName: 'Dana', lastName: 'Levi' })).body.id
const addGuardian = async (firstName = 'Ruth'): Promise<string> =>
  (await owner.post('/guardians', { firstName, lastName: 'Levi', phone: newPhone() })).body.id

const plain = { relationship: 'mother', isPrimary: false, isPayer: false }
const seesAll = { seesLearning: true, seesMoney: true }
const link = async (studentId: string, more: Record<string, unknown> = {}): Promise<string> => {
  const guardianId = await addGuardian()
  const { status } = await owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain, ...more })
  expect(status).toBe(201)
  return guardianId
}
const linksOf = async (studentId: string) => (await owner.get(`/students/${studentId}/guardians`)).body.data

describe('POST /students/{id}/guardians', () => {
  test('answers 201 with an empty body', async () => {
    const [studentId, guardianId] = [await addStudent(), await addGuardian()]
    const reply = await owner.post(`/students/${studentId}/guardians`, {
      guardianId,
      relationship: 'mother',
      isPrimary: true,
      isPayer: false,
    })
    expect(reply).toMatchObject({ status: 201, body: undefined })
    expect(reply.headers.get('content-length')).toBe('0')
  })

  test('the audit log files it under the student; it records no event', async () => {
    const fresh = await makeInstitute(app)
    const student = await fresh.owner.post('/students', { branchId: fresh.branchId, firstName: 'A', lastName: 'B' })
    const guardian = await fresh.owner.post('/guardians', { firstName: 'C', lastName: 'D', phone: newPhone() })
    const path = `/students/${student.body.id}/guardians`
    await fresh.owner.post(path, { guardianId: guardian.body.id, ...plain })
    const shown = { guardianId: guardian.body.id, ...plain }
    const entry = { entity_type: 'guardian_link', entity_id: student.body.id }
    expect(await auditOf(app, fresh, 'guardian-links.create')).toMatchObject([{ ...entry, before: null, after: shown }])
    await fresh.owner.patch(`${path}/${guardian.body.id}`, { isPayer: true })
    expect(await auditOf(app, fresh, 'guardian-links.update')).toMatchObject([
      { ...entry, before: shown, after: { ...shown, isPayer: true } },
    ])
    await fresh.owner.delete(`${path}/${guardian.body.id}`)
    expect(await auditOf(app, fresh, 'guardian-links.delete')).toMatchObject([
      { ...entry, before: { ...shown, isPayer: true }, after: null },
    ])
    expect((await eventsOf(app, fresh)).map(({ type }) => type)).toEqual(['student.created'])
  })

  test('a new primary contact takes the mark from the one before, and so does a new payer: both changes are audited', async () => {
    const studentId = await addStudent()
    const first = await link(studentId, { isPrimary: true, isPayer: true })
    const second = await link(studentId, { isPrimary: true })
    expect(await linksOf(studentId)).toMatchObject([
      { guardianId: second, isPrimary: true, isPayer: false },
      { guardianId: first, isPrimary: false, isPayer: true },
    ])
    const third = await link(studentId, { isPayer: true })
    expect(await linksOf(studentId)).toMatchObject([
      { guardianId: third, isPrimary: false, isPayer: true },
      { guardianId: second, isPrimary: true, isPayer: false },
      { guardianId: first, isPrimary: false, isPayer: false },
    ])
    const entries = await auditOf(app, institute, 'guardian-links.create')
    expect(entries.filter(({ entity_id: id, before }) => id === studentId && before !== null)).toMatchObject([
      { before: { guardianId: first, isPrimary: true }, after: { guardianId: first, isPrimary: false } },
      { before: { guardianId: first, isPayer: true }, after: { guardianId: first, isPayer: false } },
    ])
    const elsewhere = await addStudent()
    await owner.post(`/students/${elsewhere}/guardians`, { guardianId: second, ...plain, isPrimary: true })
    expect(await linksOf(studentId)).toMatchObject([{}, { guardianId: second, isPrimary: true }, {}])
  })

  test('when many new primary contacts come at once all are linked, and one is primary', async () => {
    const studentId = await addStudent()
    const guardians = await Promise.all(Array.from({ length: 8 }, () => addGuardian()))
    const replies = await Promise.all(
      guardians.map((guardianId) =>
        owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain, isPrimary: true, isPayer: true }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const links: { isPrimary: boolean; isPayer: boolean }[] = await linksOf(studentId)
    expect(links.length).toBe(8)
    expect(links.filter(({ isPrimary }) => isPrimary).length).toBe(1)
    expect(links.filter(({ isPayer }) => isPayer).length).toBe(1)
  })

  test('the same link twice is 409, also concurrently, and does not change the marks', async () => {
    const studentId = await addStudent()
    const first = await link(studentId, { isPrimary: true })
    const second = await link(studentId)
    const again = { guardianId: second, ...plain, isPrimary: true }
    expect(await owner.post(`/students/${studentId}/guardians`, again)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
    expect(await linksOf(studentId)).toMatchObject([{ isPrimary: false }, { guardianId: first, isPrimary: true }])
    const guardianId = await addGuardian()
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(5).fill(409)])
  })

  test.each([{ isPrimary: true }, { isPayer: true }, { isPrimary: true, isPayer: true }])(
    'the same link again with the marks %j is 409',
    async (marks) => {
      const studentId = await addStudent()
      const guardianId = await link(studentId, marks)
      const again = await owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain, ...marks })
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
      expect(await linksOf(studentId)).toMatchObject([{ guardianId, ...marks }])
    },
  )

  test('a student or guardian of another institute, or unknown, is 404', async () => {
    const fresh = await makeInstitute(app)
    const foreign = await fresh.owner.post('/guardians', { firstName: 'C', lastName: 'D', phone: newPhone() })
    const studentId = await addStudent()
    for (const guardianId of [foreign.body.id, studentId]) {
      const refused = await owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain })
      expect(refused).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
    }
    const guardianId = await addGuardian()
    expect((await fresh.owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain })).status).toBe(404)
  })

  test.each([
    ['relationship', 'aunt'],
    ['relationship', undefined],
    ['isPrimary', 'yes'],
    ['isPayer', undefined],
    ['guardianId', 'Ruth'],
  ])('%s %j is 422', async (field, value) => {
    const [id, guardianId] = [await addStudent(), await addGuardian()]
    const { status, body } = await owner.post(`/students/${id}/guardians`, { guardianId, ...plain, [field]: value })
    expect(status).toBe(422)
    expect(body.error.details.issues[0].path).toEqual([field])
  })
})

describe('GET /students/{id}/guardians', () => {
  test('is a page of links, newest first, each with name and phone of the guardian', async () => {
    const studentId = await addStudent()
    const first = await link(studentId, { relationship: 'father' })
    app.clock.advance(1)
    const second = await link(studentId)
    const { body: guardian } = await owner.get(`/guardians/${second}`)
    const page = await owner.get(`/students/${studentId}/guardians?limit=1`)
    expect(page.body.data).toEqual([
      {
        guardianId: second,
        ...plain,
        ...seesAll,
        guardian: { firstName: 'Ruth', lastName: 'Levi', phone: guardian.phone },
      },
    ])
    const next = await owner.get(`/students/${studentId}/guardians?cursor=${page.body.nextCursor}`)
    expect(next.body).toMatchObject({ data: [{ guardianId: first, relationship: 'father' }], nextCursor: null })
    const other = await owner.get(`/students/${await addStudent()}/guardians`)
    expect(other.body).toEqual({ data: [], nextCursor: null })
  })

  test('needs guardians.read', async () => {
    const studentId = await addStudent()
    const teacher = await institute.member({ permissions: ['students.read'] })
    expect((await teacher.get(`/students/${studentId}/guardians`)).status).toBe(403)
  })
})

describe('PATCH /students/{id}/guardians/{guardianId}', () => {
  test('answers the link; a mark that is set moves from its holder, one that is cleared moves to nobody', async () => {
    const studentId = await addStudent()
    const first = await link(studentId, { isPrimary: true, isPayer: true })
    const second = await link(studentId)
    const path = `/students/${studentId}/guardians/${second}`
    const changed = await owner.patch(path, { relationship: 'grandparent', isPrimary: true })
    expect(changed).toMatchObject({ status: 200 })
    const answered = { guardianId: second, relationship: 'grandparent', isPrimary: true, isPayer: false, ...seesAll }
    expect(changed.body).toEqual(answered)
    expect(await linksOf(studentId)).toMatchObject([
      { guardianId: second, isPrimary: true, isPayer: false },
      { guardianId: first, isPrimary: false, isPayer: true },
    ])
    await owner.patch(path, { isPrimary: false })
    expect(await linksOf(studentId)).toMatchObject([{ isPrimary: false }, { isPrimary: false, isPayer: true }])
    expect((await owner.patch(path, {})).body).toMatchObject({ guardianId: second, relationship: 'grandparent' })
    expect((await owner.patch(path, { relationship: 'aunt' })).status).toBe(422)
    expect((await owner.patch(path, { isPayer: null })).status).toBe(422)
  })

  test('when many set the mark at once, one has it', async () => {
    const studentId = await addStudent()
    const guardians = await Promise.all(Array.from({ length: 6 }, () => link(studentId)))
    const replies = await Promise.all(
      guardians.map((id) => owner.patch(`/students/${studentId}/guardians/${id}`, { isPayer: true })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const links: { isPayer: boolean }[] = await linksOf(studentId)
    expect(links.filter(({ isPayer }) => isPayer).length).toBe(1)
  })

  test('a guardian who is not linked to this student is 404, for DELETE too', async () => {
    const [studentId, guardianId] = [await addStudent(), await link(await addStudent())]
    const path = `/students/${studentId}/guardians/${guardianId}`
    expect((await owner.patch(path, { isPayer: true })).status).toBe(404)
    expect((await owner.delete(path)).status).toBe(404)
  })
})

describe('DELETE /students/{id}/guardians/{guardianId}', () => {
  test('answers Ok; the guardian remains, and nobody gets the marks', async () => {
    const studentId = await addStudent()
    const first = await link(studentId, { isPrimary: true, isPayer: true })
    await link(studentId)
    const path = `/students/${studentId}/guardians/${first}`
    expect(await owner.delete(path)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await linksOf(studentId)).toMatchObject([{ isPrimary: false, isPayer: false }])
    expect((await owner.get(`/guardians/${first}`)).status).toBe(200)
    expect((await owner.delete(path)).status).toBe(404)
  })
})

test('deleting a student deletes the links, audited one by one, and keeps the guardians', async () => {
  const studentId = await addStudent()
  const guardians = [await link(studentId), await link(studentId)]
  expect((await owner.delete(`/students/${studentId}`)).status).toBe(200)
  for (const id of guardians) expect((await owner.delete(`/guardians/${id}`)).status).toBe(200)
  const entries = await auditOf(app, institute, 'students.delete')
  expect(
    entries
      .filter((entry) => entry.entity_id === studentId)
      .map((entry) => entry.entity_type)
      .toSorted(),
  ).toEqual(['guardian_link', 'guardian_link', 'student'])
})

test('linking and deleting a student at once leaves no link without a student', async () => {
  const pairs = await Promise.all(
    Array.from({ length: 8 }, async () => ({ studentId: await addStudent(), guardianId: await addGuardian() })),
  )
  const replies = await Promise.all(
    pairs.flatMap(({ studentId, guardianId }) => [
      owner.post(`/students/${studentId}/guardians`, { guardianId, ...plain }),
      owner.delete(`/students/${studentId}`),
    ]),
  )
  for (const [index, { status }] of replies.entries()) expect(index % 2 === 0 ? [201, 404] : [200]).toContain(status)
  for (const { guardianId } of pairs) expect((await owner.delete(`/guardians/${guardianId}`)).status).toBe(200)
})

test('a role for one branch neither sees nor changes the guardians of other branches’ students', async () => {
  const { body: north } = await owner.post('/branches', { name: 'North' })
  const clerk = await institute.member({ role: 'front_desk', branchId: north.id })
  const studentId = await addStudent()
  const guardianId = await link(studentId)
  const path = `/students/${studentId}/guardians`
  for (const reply of [
    await clerk.get(path),
    await clerk.post(path, { guardianId, ...plain }),
    await clerk.patch(`${path}/${guardianId}`, { isPayer: true }),
    await clerk.delete(`${path}/${guardianId}`),
  ]) {
    expect(reply).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  }
  const sibling = await addStudent(north.id)
  await owner.post(`/students/${sibling}/guardians`, { guardianId, ...plain })
  expect((await clerk.get(`/students/${sibling}/guardians`)).body.data).toMatchObject([{ guardianId }])
  expect((await clerk.get(path)).status).toBe(404)
})
