import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#kernel/basics/ids.ts'
import { sweepEndsJob } from '#modules/groups/sweep-ends.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { newExam } from '../examples/exams.ts'
import { newGroup } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 400 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Monday, ten in the morning in Jerusalem, two hours ahead.
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

const good = async (asked: ReturnType<Client['get']>) => {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const sweep = async (): Promise<void> => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(sweepEndsJob, {})
  })
  await app.drain()
}
const newStudent = async (): Promise<string> =>
  (await good(owner.post('/students', { branchId: institute.branchId, firstName: 'Omar', lastName: 'Nasser' }))).id
const enrolled = async (groupId: string, fields: Record<string, unknown> = {}) =>
  good(owner.post('/enrollments', { studentId: await newStudent(), groupId, ...fields }))

describe('since when a student belongs to a group', () => {
  test('is set right: whoever sat in a lesson of that day before being enrolled stands on its roster then', async () => {
    const groupId = await newGroup(institute)
    const times = { scheduledStart: '2026-03-02T05:00:00.000Z', scheduledEnd: '2026-03-02T06:00:00.000Z' }
    const { id: sessionId } = await good(owner.post(`/groups/${groupId}/sessions`, times))
    const { id, studentId } = await enrolled(groupId)
    const marks = { entries: [{ studentId, status: 'present' }] }
    expect(await owner.put(`/sessions/${sessionId}/attendance`, marks)).toMatchObject({
      status: 422,
      body: { error: { details: { reason: 'not_on_roster' } } },
    })
    expect(await good(owner.patch(`/enrollments/${id}`, { enrolledAt: '2026-03-02' }))).toMatchObject({
      enrolledAt: '2026-03-01T22:00:00.000Z',
      status: 'active',
    })
    expect((await owner.put(`/sessions/${sessionId}/attendance`, marks)).status).toBe(200)
  })

  test('lies at most 366 days away and not after the end, and is not said of what has ended', async () => {
    const groupId = await newGroup(institute)
    const { id } = await enrolled(groupId)
    expect(await owner.patch(`/enrollments/${id}`, { enrolledAt: '2025-02-28' })).toMatchObject({ status: 422 })
    await good(owner.post(`/enrollments/${id}/drop`, { endedAt: '2026-03-10' }))
    expect(await owner.patch(`/enrollments/${id}`, { enrolledAt: '2026-03-11' })).toMatchObject({ status: 422 })
    expect((await owner.patch(`/enrollments/${id}`, { enrolledAt: '2026-03-10' })).status).toBe(200)
    await good(owner.post(`/enrollments/${id}/drop`))
    expect(await owner.patch(`/enrollments/${id}`, { enrolledAt: '2026-03-02' })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'not_active' } } },
    })
  })
})

describe('an enrollment begins', () => {
  test('at the beginning of a day in the institute’s zone, up to 366 days back or ahead', async () => {
    const groupId = await newGroup(institute)
    expect(await enrolled(groupId, { enrolledAt: '2026-02-01' })).toMatchObject({
      status: 'active',
      enrolledAt: '2026-01-31T22:00:00.000Z',
      endedAt: null,
    })
    for (const [first, last] of [
      ['2025-03-01', '2025-02-28'],
      ['2027-03-03', '2027-03-04'],
    ]) {
      await enrolled(groupId, { enrolledAt: first })
      const { status, body } = await owner.post('/enrollments', {
        studentId: await newStudent(),
        groupId,
        enrolledAt: last,
      })
      expect([status, body.error.details.issues[0].path]).toEqual([422, ['enrolledAt']])
    }
  })

  test('ahead, and has its place in the group from now on', async () => {
    const groupId = await newGroup(institute)
    await good(owner.patch(`/groups/${groupId}`, { capacity: 1 }))
    await enrolled(groupId, { enrolledAt: '2026-04-01' })
    const full = await owner.post('/enrollments', { studentId: await newStudent(), groupId })
    expect(full.body.error.code).toBe('CONFLICT')
  })
})

describe('an enrollment ends', () => {
  test('ahead, on that day in the institute’s zone, by the sweep and not before', async () => {
    const groupId = await newGroup(institute)
    const { id } = await enrolled(groupId)
    const reason = 'Moves to Haifa'
    const asked = await good(owner.post(`/enrollments/${id}/drop`, { endedAt: '2026-03-10', reason }))
    expect(asked).toMatchObject({ status: 'active', droppedAt: null, endedAt: '2026-03-10T21:59:59.999Z' })
    app.clock.set('2026-03-09T21:50:00.000Z')
    await sweep()
    expect((await good(owner.get(`/enrollments/${id}`))).status).toBe('active')
    app.clock.set('2026-03-09T22:10:00.000Z')
    await sweep()
    expect(await good(owner.get(`/enrollments/${id}`))).toMatchObject({
      status: 'dropped',
      droppedAt: '2026-03-10T21:59:59.999Z',
      endedAt: '2026-03-10T21:59:59.999Z',
    })
    const dropped = await eventsOf(app, institute, 'enrollment.dropped')
    expect(dropped).toMatchObject([{ enrollmentId: id, reason }])
    await sweep()
    expect(await eventsOf(app, institute, 'enrollment.dropped')).toHaveLength(1)
  })

  test('back, at once, and not before it began or longer ago than 366 days', async () => {
    const groupId = await newGroup(institute)
    const { id } = await enrolled(groupId, { enrolledAt: '2026-02-10' })
    for (const endedAt of ['2026-02-09', '2025-02-28', '2027-03-04']) {
      const { status, body } = await owner.post(`/enrollments/${id}/drop`, { endedAt })
      expect([status, body.error.details.issues[0].path]).toEqual([422, ['endedAt']])
    }
    expect(await good(owner.post(`/enrollments/${id}/drop`, { endedAt: '2026-02-20' }))).toMatchObject({
      status: 'dropped',
      droppedAt: '2026-02-20T21:59:59.999Z',
    })
  })

  test('today with the day, and at once without a day', async () => {
    const groupId = await newGroup(institute)
    const [today, now] = [await enrolled(groupId), await enrolled(groupId)]
    expect(await good(owner.post(`/enrollments/${today.id}/drop`, { endedAt: '2026-03-02' }))).toMatchObject({
      status: 'dropped',
      endedAt: '2026-03-02T21:59:59.999Z',
    })
    expect(await good(owner.post(`/enrollments/${now.id}/drop`))).toMatchObject({
      status: 'dropped',
      endedAt: '2026-03-02T08:00:00.000Z',
    })
  })
})

describe('when the zone of the institute is set right', () => {
  beforeEach(async () => {
    institute = await makeInstitute(app, { timezone: 'Asia/Tokyo' })
    owner = institute.owner
  })

  test('a day that somebody named stays that day, and a moment stays that moment', async () => {
    const groupId = await newGroup(institute)
    const named = await enrolled(groupId, { enrolledAt: '2026-02-01' })
    await good(owner.post(`/enrollments/${named.id}/drop`, { endedAt: '2026-02-20' }))
    const ahead = await enrolled(groupId, { enrolledAt: '2026-04-01' })
    await good(owner.post(`/enrollments/${ahead.id}/drop`, { endedAt: '2026-04-30' }))
    const now = await enrolled(groupId)
    await good(owner.post(`/enrollments/${now.id}/drop`))
    await good(owner.patch('/settings', { timezone: 'Asia/Jerusalem' }))
    expect(await good(owner.get(`/enrollments/${named.id}`))).toMatchObject({
      enrolledAt: '2026-01-31T22:00:00.000Z',
      droppedAt: '2026-02-20T21:59:59.999Z',
      endedAt: '2026-02-20T21:59:59.999Z',
    })
    // In summer time.
    expect(await good(owner.get(`/enrollments/${ahead.id}`))).toMatchObject({
      enrolledAt: '2026-03-31T21:00:00.000Z',
      endedAt: '2026-04-30T20:59:59.999Z',
    })
    expect(await good(owner.get(`/enrollments/${now.id}`))).toMatchObject({
      enrolledAt: '2026-03-02T08:00:00.000Z',
      endedAt: '2026-03-02T08:00:00.000Z',
    })
  })

  test('many follow in slices, to the zone that was set last', async () => {
    const groupId = await newGroup(institute)
    const studentId = await newStudent()
    const day = { enrolled_at: '2026-01-31T15:00:00.000Z', ended_at: '2026-02-20T14:59:59.999Z' }
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
      const { whole, now } = unit.tenant(institute.tenant, 'all')
      const rows = Array.from({ length: 620 }, () => ({
        id: newId(),
        student_id: studentId,
        group_id: groupId,
        status: 'dropped' as const,
        price_minor: 0,
        currency: 'ILS' as const,
        price_overridden: false,
        ...day,
        dropped_at: day.ended_at,
        drop_reason: null,
        completed_at: null,
        created_at: now,
        updated_at: now,
      }))
      for (let at = 0; at < rows.length; at += 50) {
        await whole
          .insertInto('enrollment')
          .values(rows.slice(at, at + 50))
          .execute()
      }
    })
    const days = () =>
      runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
        const { whole } = unit.tenant(institute.tenant, 'all')
        const rows = await whole.selectFrom('enrollment').select(['enrolled_at', 'ended_at', 'dropped_at']).execute()
        return new Set(rows.map((row) => `${row.enrolled_at} ${row.ended_at} ${row.dropped_at}`))
      })
    await good(owner.patch('/settings', { timezone: 'UTC' }))
    expect((await days()).size).toBe(2)
    await good(owner.patch('/settings', { timezone: 'Asia/Jerusalem' }))
    await app.drain()
    const end = '2026-02-20T21:59:59.999Z'
    expect(await days()).toEqual(new Set([`2026-01-31T22:00:00.000Z ${end} ${end}`]))
  })
})

test('a move ahead ends in one group on the day before it begins in the other', async () => {
  const [from, to] = [await newGroup(institute), await newGroup(institute)]
  const former = await enrolled(from, { enrolledAt: '2026-02-01' })
  const moved = await good(owner.post(`/enrollments/${former.id}/move`, { groupId: to, enrolledAt: '2026-04-01' }))
  expect(moved).toMatchObject({ groupId: to, status: 'active', enrolledAt: '2026-03-31T21:00:00.000Z' })
  expect(await good(owner.get(`/enrollments/${former.id}`))).toMatchObject({
    status: 'active',
    endedAt: '2026-03-31T20:59:59.999Z',
  })
  const other = await enrolled(from, { enrolledAt: '2026-02-01' })
  const back = await good(owner.post(`/enrollments/${other.id}/move`, { groupId: to, endedAt: '2026-02-27' }))
  expect(back).toMatchObject({ enrolledAt: '2026-02-27T22:00:00.000Z' })
  expect((await good(owner.get(`/enrollments/${other.id}`))).status).toBe('dropped')
})

test('an exam of three weeks ago lists who was in the group then: not who joined today, but who left since', async () => {
  const groupId = await newGroup(institute)
  const there = await enrolled(groupId, { enrolledAt: '2026-01-01' })
  const left = await enrolled(groupId, { enrolledAt: '2026-01-01' })
  await good(owner.post(`/enrollments/${left.id}/drop`, { endedAt: '2026-02-09' }))
  const before = await enrolled(groupId, { enrolledAt: '2026-01-01' })
  await good(owner.post(`/enrollments/${before.id}/drop`, { endedAt: '2026-02-08' }))
  await enrolled(groupId)
  const examId = await newExam(institute, groupId, { heldAt: '2026-02-09' })
  const roster = (await good(owner.get(`/exams/${examId}/results`))).data
  expect(new Set(roster.map(({ studentId }: { studentId: string }) => studentId))).toEqual(
    new Set([there.studentId, left.studentId]),
  )
})
