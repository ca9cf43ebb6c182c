import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
  institute = await makeInstitute(app)
  world = worldOf(app, institute)
})
afterAll(() => app.close())

const send = (groupId: string, body: unknown, client = institute.owner) =>
  client.post(`/groups/${groupId}/enrollments`, body)
const students = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => newStudent(world)))

describe('enrolledAt', () => {
  test('puts the student on the rosters from then on', async () => {
    const [groupId, studentId] = [await newGroup(world), await newStudent(world)]
    const sessionAt = async (day: string): Promise<string> => {
      const times = { scheduledStart: `${day}T14:00:00.000Z`, scheduledEnd: `${day}T15:00:00.000Z` }
      return (await institute.owner.post(`/groups/${groupId}/sessions`, times)).body.id
    }
    const [before, on] = [await sessionAt('2026-02-25'), await sessionAt('2026-02-26')]
    const enrolledAt = '2026-02-26T14:00:00.000Z'
    const reply = await institute.owner.post('/enrollments', {
      studentId,
      groupId,
      enrolledAt: '2026-02-26T16:00:00+02:00',
    })
    expect(reply).toMatchObject({ status: 201, body: { enrolledAt } })
    const roster = async (id: string) => (await institute.owner.get(`/sessions/${id}/attendance`)).body.entries
    expect(await roster(before)).toEqual([])
    expect(await roster(on)).toMatchObject([{ studentId }])
    // Whoever came can be marked.
    const entries = [{ studentId, status: 'present' }]
    expect((await institute.owner.put(`/sessions/${on}/attendance`, { entries })).status).toBe(200)
  })

  test('is, where it is left out, the start of the session that is running, and now where none is', async () => {
    const groupId = await newGroup(world)
    const minutes = (count: number) => new Date(app.clock.millis() + count * 60_000).toISOString()
    const sessionAt = (from: number, to: number, day = 0) =>
      institute.owner.post(`/groups/${groupId}/sessions`, {
        scheduledStart: minutes(from + day * 1440),
        scheduledEnd: minutes(to + day * 1440),
      })
    // The one that ends now is over, and the one that begins now is running.
    await sessionAt(-60, 0)
    const [one, two, three] = (await students(3)) as [string, string, string]
    const enrolled = async (studentId: string) =>
      (await institute.owner.post('/enrollments', { studentId, groupId })).body.enrolledAt
    expect(await enrolled(one)).toBe(app.clock.now())
    const running = (await sessionAt(-20, 40, 0)).body
    expect(await enrolled(two)).toBe(running.scheduledStart)
    expect((await send(groupId, { studentIds: [three] })).body.enrolled).toMatchObject([
      { enrolledAt: running.scheduledStart },
    ])
    const roster = (await institute.owner.get(`/sessions/${running.id}/attendance`)).body.entries
    expect(roster.map(({ studentId }: { studentId: string }) => studentId).toSorted()).toEqual([two, three].toSorted())
  })

  test('more than 366 days ahead is 422, also for many', async () => {
    const [groupId, studentId] = [await newGroup(world), await newStudent(world)]
    const enrolledAt = new Date(app.clock.millis() + 367 * 86_400_000).toISOString()
    const refused = { status: 422, body: { error: { details: { issues: [{ path: ['enrolledAt'] }] } } } }
    expect(await institute.owner.post('/enrollments', { studentId, groupId, enrolledAt })).toMatchObject(refused)
    expect(await send(groupId, { studentIds: [studentId], enrolledAt })).toMatchObject(refused)
    const now = app.clock.now()
    expect((await send(groupId, { studentIds: [studentId], enrolledAt: now })).body.enrolled).toMatchObject([
      { enrolledAt: now },
    ])
  })
})

describe('POST /groups/{id}/enrollments', () => {
  test('enrolls each as by itself, with its price, event and audit entry', async () => {
    const groupId = await newGroup(world, { feeMinor: 30_000, currency: 'EUR' })
    const [one, two] = (await students(2)) as [string, string]
    const { status, body } = await send(groupId, { studentIds: [two, one, two], enrolledAt: '2026-02-01T00:00:00Z' })
    expect(status).toBe(200)
    const expected = { groupId, status: 'active', priceMinor: 30_000, currency: 'EUR', droppedAt: null, endedAt: null }
    const enrolledAt = '2026-02-01T00:00:00.000Z'
    expect(body).toEqual({
      enrolled: [two, one].map((studentId) => ({ ...expected, id: expect.any(String), studentId, enrolledAt })),
      refused: [],
    })
    for (const enrollment of body.enrolled) {
      expect((await institute.owner.get(`/enrollments/${enrollment.id}`)).body).toEqual(enrollment)
    }
    const events = await eventsOf(app, institute, 'enrollment.created')
    expect(events.filter((event) => event.groupId === groupId).map(({ studentId }) => studentId)).toEqual([two, one])
    const entries = await auditOf(app, institute, 'enrollments.create-many')
    expect(entries.slice(-2).map(({ entity_id }) => entity_id)).toEqual(
      body.enrolled.map(({ id }: { id: string }) => id),
    )
  })

  test('says why the others are refused', async () => {
    const groupId = await newGroup(world, { capacity: 2 })
    const [present, withdrawn, next, last] = (await students(4)) as [string, string, string, string]
    await send(groupId, { studentIds: [present] })
    await institute.owner.post(`/students/${withdrawn}/status`, { status: 'withdrawn' })
    const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
    const { body } = await send(groupId, { studentIds: [withdrawn, nobody, present, next, last] })
    expect(body.enrolled).toMatchObject([{ studentId: next }])
    expect(body.refused).toEqual([
      { studentId: withdrawn, reason: 'cannot_enroll' },
      { studentId: nobody, reason: 'not_found' },
      { studentId: present, reason: 'already_enrolled' },
      { studentId: last, reason: 'group_full' },
    ])
    const over = await newGroup(world, { status: 'completed' })
    expect(await send(over, { studentIds: [last] })).toMatchObject({
      status: 200,
      body: { enrolled: [], refused: [{ reason: 'cannot_enroll' }] },
    })
  })

  test('takes students and groups within reach alone', async () => {
    const { body: north } = await institute.owner.post('/branches', { name: 'Many north' })
    const manager = await institute.member({ role: 'branch_manager', branchId: north.id })
    const far = await newStudent(world)
    const near = await newStudent({ ...world, branchId: north.id })
    expect((await send(await newGroup(world), { studentIds: [near] }, manager)).status).toBe(404)
    const own = await newGroup({ ...world, branchId: north.id })
    expect((await send(own, { studentIds: [far, near] }, manager)).body).toMatchObject({
      enrolled: [{ studentId: near }],
      refused: [{ studentId: far, reason: 'not_found' }],
    })
    const reader = await institute.member({ permissions: ['enrollments.read'] })
    expect((await send(own, { studentIds: [near] }, reader)).status).toBe(403)
  })

  test('nobody, or more than 200, is 422', async () => {
    const groupId = await newGroup(world)
    expect((await send(groupId, { studentIds: [] })).status).toBe(422)
    const id = await newStudent(world)
    expect((await send(groupId, { studentIds: Array(201).fill(id) })).status).toBe(422)
    expect((await send(groupId, { studentIds: Array(200).fill(id) })).body.enrolled).toHaveLength(1)
  })

  test('of two lists that want the last places at once, no place is given twice', async () => {
    const groupId = await newGroup(world, { capacity: 3 })
    const all = await students(4)
    const replies = await Promise.all([
      send(groupId, { studentIds: all }),
      send(groupId, { studentIds: all.toReversed() }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies.flatMap(({ body }) => body.enrolled)).toHaveLength(3)
    expect((await institute.owner.get(`/groups/${groupId}`)).body.enrolledCount).toBe(3)
  })
})
