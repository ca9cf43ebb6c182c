import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import { worldOf, type World } from '#kit/examples.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { newGroup } from '../examples/academics.ts'
import { newStudent } from '../examples/people.ts'

let app: TestApp
let institute: TestInstitute
let world: World

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
})
afterAll(() => app.close())

const FEE = { feeMinor: 30_000, currency: 'EUR' }

const enrolled = async (group: object = FEE, price: object = {}) => {
  const [groupId, studentId] = [await newGroup(world, group), await newStudent(world)]
  const { status, body } = await institute.owner.post('/enrollments', { studentId, groupId, ...price })
  expect(status).toBe(201)
  return { id: body.id as string, groupId, studentId }
}
const move = (id: string, body: object) => institute.owner.post(`/enrollments/${id}/move`, body)
const activeOf = async (studentId: string): Promise<string[]> =>
  (await institute.owner.get(`/enrollments?studentId=${studentId}&status=active`)).body.data.map(
    ({ groupId }: { groupId: string }) => groupId,
  )

test('a move drops and enrolls, with both events and the audit of both', async () => {
  const { id, groupId, studentId } = await enrolled()
  const other = await newGroup(world, { feeMinor: 45_000, currency: 'EUR' })
  const reply = await move(id, { groupId: other, reason: 'The bus comes later' })
  expect(reply).toMatchObject({
    status: 201,
    body: { studentId, groupId: other, status: 'active', priceMinor: 45_000, currency: 'EUR', droppedAt: null },
  })
  expect((await institute.owner.get(`/enrollments/${id}`)).body).toMatchObject({ status: 'dropped', groupId })
  expect(await activeOf(studentId)).toEqual([other])
  expect((await eventsOf(app, institute, 'enrollment.dropped')).at(-1)).toMatchObject({
    enrollmentId: id,
    groupId,
    reason: 'The bus comes later',
  })
  expect((await eventsOf(app, institute, 'enrollment.created')).at(-1)).toMatchObject({ enrollmentId: reply.body.id })
  const audited = (await auditOf(app, institute, 'enrollments.move')).map(({ entity_id }) => entity_id)
  expect(audited.toSorted()).toEqual([id, reply.body.id].toSorted())
})

test('an agreed price goes along where both groups cost the same, and only there', async () => {
  const same = await enrolled(FEE, { priceMinor: 10_000 })
  expect((await move(same.id, { groupId: await newGroup(world, FEE) })).body).toMatchObject({ priceMinor: 10_000 })
  const dearer = await enrolled(FEE, { priceMinor: 10_000 })
  const groupId = await newGroup(world, { feeMinor: 40_000, currency: 'EUR' })
  expect((await move(dearer.id, { groupId })).body).toMatchObject({ priceMinor: 40_000 })
})

test('a refused move leaves the student where they are', async () => {
  const { id, groupId, studentId } = await enrolled()
  const full = await enrolled({ ...FEE, capacity: 1 })
  const refused = async (body: object, status: number, reason?: string) => {
    const reply = await move(id, body)
    expect(reply.status).toBe(status)
    if (reason) expect(reply.body.error.details.reason).toBe(reason)
    expect(await activeOf(studentId)).toEqual([groupId])
  }
  await refused({ groupId: full.groupId }, 409, 'group_full')
  await refused({ groupId }, 409, 'already_enrolled')
  await refused({ groupId: studentId }, 404)
  await refused({}, 422)
  await refused({ groupId: await newGroup(world, { ...FEE, status: 'completed' }) }, 409, 'cannot_enroll')
  await institute.owner.post(`/enrollments/${id}/complete`)
  expect((await move(id, { groupId: await newGroup(world) })).body.error.details.reason).toBe('not_active')
})

test('of two moves at once one takes the last place, and neither loses the student', async () => {
  const last = await newGroup(world, { ...FEE, capacity: 1 })
  const both = [await enrolled(), await enrolled()]
  const replies = await Promise.all(both.map(({ id }) => move(id, { groupId: last })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const places = await Promise.all(both.map(({ studentId }) => activeOf(studentId)))
  expect(places.map((groups) => groups.length)).toEqual([1, 1])
})
