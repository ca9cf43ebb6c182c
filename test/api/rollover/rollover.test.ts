import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepFormerJob } from '#modules/rollover/end-former.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { create } from '../examples/sessions.ts'
import { good, newMember, newYearGroup, NEXT } from './year.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 400 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Monday, ten in the morning in Jerusalem.
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
})

const rollOver = (groupIds: string[], more: Record<string, unknown> = {}) =>
  owner.post('/groups/rollover', { groupIds, ...NEXT, ...more })
const planOf = async (groupIds: string[], more: Record<string, unknown> = {}) =>
  good(rollOver(groupIds, { dryRun: true, ...more }))
const newIdOf = async (groupId: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { groups } = await good(rollOver([groupId], more))
  await app.drain()
  return groups[0].newGroupId
}
const sweep = async (): Promise<void> => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(sweepFormerJob, {})
  })
  await app.drain()
}
const enrolledIn = async (groupId: string) => (await good(owner.get(`/groups/${groupId}/enrollments`))).data

describe('a group that goes on', () => {
  test('is a new one with its times, lessons, teacher, room and fee, and its students from the first day', async () => {
    const { groupId, teacherStaffId } = await newYearGroup(institute, { room: '12', capacity: 20 })
    const studentId = await newMember(institute, groupId)
    const reply = await rollOver([groupId])
    expect(reply).toMatchObject({
      status: 201,
      body: { dryRun: false, isDone: true, kept: 1, groups: [{ groupId, name: 'English 2026/27' }] },
    })
    const id = reply.body.groups[0].newGroupId
    const former = await good(owner.get(`/groups/${groupId}`))
    expect(await good(owner.get(`/groups/${id}`))).toMatchObject({
      name: 'English 2026/27',
      courseId: former.courseId,
      branchId: former.branchId,
      teacherStaffId,
      room: '12',
      capacity: 20,
      feeMinor: 30_000,
      status: 'planned',
      ...NEXT,
      enrolledCount: 1,
    })
    expect(await good(owner.get(`/groups/${id}/schedules`))).toMatchObject([
      { weekday: 1, startTime: '16:00', endTime: '17:00', validFrom: NEXT.startsOn, validTo: null },
    ])
    const { data } = await good(owner.get(`/groups/${id}/sessions?limit=100`))
    // From the first Monday to the last that lies 400 days ahead.
    expect(data[0]).toMatchObject({ scheduledStart: '2026-09-07T13:00:00.000Z', status: 'scheduled' })
    expect(data.at(-1).scheduledStart.slice(0, 10)).toBe('2027-04-05')
    expect(data).toHaveLength(reply.body.groups[0].lessons - 12)
    expect(await enrolledIn(id)).toMatchObject([
      { studentId, status: 'active', priceMinor: 30_000, enrolledAt: '2026-08-31T21:00:00.000Z' },
    ])
    expect((await eventsOf(app, institute, 'enrollment.created')).at(-1)).toMatchObject({ groupId: id, studentId })
    expect(await auditOf(app, institute, 'groups.rollover')).not.toHaveLength(0)
    // Until its own end the former group is as it was.
    expect(former).toMatchObject({ status: 'active', endsOn: '2026-06-30', enrolledCount: 1 })
  })

  test('ends with its last day, whatever the zone of the server: completed with its enrollments', async () => {
    const { groupId } = await newYearGroup(institute, { endsOn: '2026-03-10' })
    await newMember(institute, groupId)
    const id = await newIdOf(groupId, { startsOn: '2026-03-20', endsOn: '2026-06-30' })
    app.clock.set('2026-03-10T21:59:00.000Z')
    await sweep()
    expect(await good(owner.get(`/groups/${groupId}`))).toMatchObject({ status: 'active' })
    app.clock.set('2026-03-10T22:01:00.000Z')
    await sweep()
    expect(await good(owner.get(`/groups/${groupId}`))).toMatchObject({ status: 'completed', enrolledCount: 0 })
    expect(await enrolledIn(groupId)).toMatchObject([{ status: 'completed' }])
    expect(await good(owner.get(`/groups/${id}`))).toMatchObject({ status: 'planned', enrolledCount: 1 })
    app.clock.set('2026-03-19T22:01:00.000Z')
    await sweep()
    expect(await good(owner.get(`/groups/${id}`))).toMatchObject({ status: 'active' })
    // What people change afterwards stays.
    await owner.patch(`/groups/${groupId}`, { status: 'active' })
    await owner.patch(`/groups/${id}`, { status: 'planned' })
    await sweep()
    expect(await good(owner.get(`/groups/${groupId}`))).toMatchObject({ status: 'active' })
    expect(await good(owner.get(`/groups/${id}`))).toMatchObject({ status: 'planned' })
  })

  test('without an end gets one: the day before; one that is over is completed at once, and one may be completed', async () => {
    const { groupId: open } = await newYearGroup(institute, { endsOn: null })
    const { groupId: over } = await newYearGroup(institute, { endsOn: '2026-02-28' })
    const { groupId: done } = await newYearGroup(institute)
    const [first, second, third] = [
      await newMember(institute, open),
      await newMember(institute, over),
      await newMember(institute, done),
    ]
    await owner.patch(`/groups/${done}`, { status: 'completed' })
    const { groups } = await good(rollOver([open, over, done]))
    await app.drain()
    expect(await good(owner.get(`/groups/${open}`))).toMatchObject({ status: 'active', endsOn: '2026-08-31' })
    expect(await good(owner.get(`/groups/${over}`))).toMatchObject({ status: 'completed', endsOn: '2026-02-28' })
    for (const [at, studentId] of [first, second, third].entries()) {
      expect(await enrolledIn(groups[at].newGroupId)).toMatchObject([{ studentId, status: 'active' }])
    }
  })

  test('goes on without its times or its teacher where that is asked', async () => {
    const { groupId } = await newYearGroup(institute)
    const id = await newIdOf(groupId, { keepTimes: false, keepTeachers: false })
    expect(await good(owner.get(`/groups/${id}`))).toMatchObject({ teacherStaffId: null })
    expect(await good(owner.get(`/groups/${id}/schedules`))).toEqual([])
  })

  test('in a year that has begun is active, and makes no lesson of the past', async () => {
    const { groupId } = await newYearGroup(institute, { endsOn: '2026-02-14' })
    const id = await newIdOf(groupId, { startsOn: '2026-02-15', endsOn: '2026-06-30' })
    expect(await good(owner.get(`/groups/${id}`))).toMatchObject({ status: 'active' })
    const { data } = await good(owner.get(`/groups/${id}/sessions?limit=100`))
    expect(data[0].scheduledStart).toBe('2026-03-02T14:00:00.000Z')
  })
})

describe('prices and fees', () => {
  test('a price that was agreed upon is kept, or all pay the fee of the group', async () => {
    const { groupId } = await newYearGroup(institute)
    const studentId = await newMember(institute, groupId, { priceMinor: 20_000 })
    const { groupId: other } = await newYearGroup(institute)
    await create(institute, '/enrollments', { studentId, groupId: other, priceMinor: 10_000 })
    const { groups } = await planOf([groupId])
    expect(groups[0].students).toMatchObject([{ priceMinor: 20_000, currency: 'ILS' }])
    expect(await enrolledIn(await newIdOf(groupId))).toMatchObject([{ priceMinor: 20_000 }])
    const plain = await planOf([other], { priceRule: 'group_default' })
    expect(plain.groups[0].students).toMatchObject([{ priceMinor: 30_000 }])
    expect(await enrolledIn(await newIdOf(other, { priceRule: 'group_default' }))).toMatchObject([
      { priceMinor: 30_000 },
    ])
  })

  test('recurring fees of the group go on for the new one; others do not', async () => {
    const { groupId } = await newYearGroup(institute)
    const fee = { kind: 'per_group', amountMinor: 25_000, currency: 'ILS', recurrence: 'monthly', groupId, dueDay: 10 }
    await create(institute, '/fee-schedules', {
      ...fee,
      name: 'Tuition',
      validFrom: '2025-09-01',
      validTo: '2026-06-30',
    })
    await create(institute, '/fee-schedules', { ...fee, name: 'Transport', validFrom: '2025-09-01' })
    // In whose place another stands since February.
    await create(institute, '/fee-schedules', {
      ...fee,
      name: 'Autumn',
      validFrom: '2025-09-01',
      validTo: '2026-01-31',
    })
    await create(institute, '/fee-schedules', { ...fee, name: 'Former', isActive: false })
    await create(institute, '/fee-schedules', { ...fee, name: 'Books', kind: 'one_off', recurrence: 'once' })
    expect((await planOf([groupId])).groups).toMatchObject([{ fees: ['Tuition', 'Transport'] }])
    const id = await newIdOf(groupId)
    const { data } = await good(owner.get('/fee-schedules?limit=100'))
    const own = data.filter((one: { groupId: string }) => one.groupId === id)
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? 1 : -1)
    expect(own.toSorted(byName)).toMatchObject([
      {
        name: 'Tuition',
        amount: { amountMinor: 25_000, currency: 'ILS' },
        dueDay: 10,
        isActive: true,
        validFrom: NEXT.startsOn,
        validTo: NEXT.endsOn,
      },
      { name: 'Transport', validFrom: NEXT.startsOn, validTo: null },
    ])
  })
})

describe('who goes on', () => {
  test('not who left before the end, withdrew, graduated, pauses or has a place already; each says why', async () => {
    const { groupId } = await newYearGroup(institute)
    const [stays, left, leaves, withdrew, graduated, pauses, placed] = await Promise.all(
      Array.from({ length: 7 }, () => newMember(institute, groupId)),
    )
    const enrollmentOf = async (studentId: string | undefined) =>
      (await enrolledIn(groupId)).find((one: { studentId: string }) => one.studentId === studentId).id
    await owner.post(`/enrollments/${await enrollmentOf(left)}/drop`, {})
    await owner.post(`/enrollments/${await enrollmentOf(leaves)}/drop`, { endedAt: '2026-05-31' })
    const { courseId } = await good(owner.get(`/groups/${groupId}`))
    const later = await create(institute, '/groups', {
      courseId,
      branchId: institute.branchId,
      name: 'Next',
      startsOn: '2026-09-01',
    })
    await create(institute, '/enrollments', { studentId: placed, groupId: later })
    for (const [studentId, status] of [
      [pauses, 'paused'],
      [withdrew, 'withdrawn'],
      [graduated, 'graduated'],
    ]) {
      await owner.post(`/students/${studentId}/status`, { status })
    }
    const reasons = async (more: Record<string, unknown> = {}) => {
      const { groups, kept } = await planOf([groupId], more)
      const why = new Map(
        groups[0].students.map((one: { studentId: string; leftOut: string }) => [one.studentId, one.leftOut]),
      )
      expect(groups[0].kept).toBe(kept)
      return [kept, ...[stays, left, leaves, withdrew, graduated, pauses, placed].map((id) => why.get(id))]
    }
    const ended = ['left_before_end', 'left_before_end', 'left_before_end', 'left_before_end']
    expect(await reasons()).toEqual([1, null, ...ended, 'paused', 'already_enrolled'])
    // Who pauses goes on where they are named, and nobody who cannot.
    expect(await reasons({ studentIds: [pauses, withdrew, placed] })).toEqual([
      1,
      'not_chosen',
      ...ended,
      null,
      'already_enrolled',
    ])
    expect(await reasons({ except: [{ groupId, studentId: stays }] })).toEqual([
      0,
      'not_chosen',
      ...ended,
      'paused',
      'already_enrolled',
    ])
    const id = await newIdOf(groupId, { studentIds: [pauses] })
    expect(await enrolledIn(id)).toMatchObject([{ studentId: pauses }])
  })

  test('those who withdraw or graduate after the group is completed, and those beyond the capacity, do not', async () => {
    const { groupId } = await newYearGroup(institute)
    const [first, second, withdrew, graduated] = [
      await newMember(institute, groupId, { enrolledAt: '2026-01-01' }),
      await newMember(institute, groupId, { enrolledAt: '2026-02-01' }),
      await newMember(institute, groupId),
      await newMember(institute, groupId),
    ]
    await owner.patch(`/groups/${groupId}`, { status: 'completed', capacity: 1 })
    await owner.post(`/students/${withdrew}/status`, { status: 'withdrawn' })
    await owner.post(`/students/${graduated}/status`, { status: 'graduated' })
    const { groups } = await planOf([groupId])
    const told = groups[0].students.map((one: { studentId: string; leftOut: string }) => [one.studentId, one.leftOut])
    expect(new Map(told)).toEqual(
      new Map([
        [first, null],
        [second, 'group_full'],
        [withdrew, 'withdrawn'],
        [graduated, 'graduated'],
      ]),
    )
  })
})

test('who was completed before the group was, or leaves before the new year, does not go on', async () => {
  const { groupId } = await newYearGroup(institute)
  const [stays, done, leaves, leavesLater] = await Promise.all(
    Array.from({ length: 4 }, () => newMember(institute, groupId)),
  )
  const enrollment = (await enrolledIn(groupId)).find((one: { studentId: string }) => one.studentId === done)
  await good(owner.post(`/enrollments/${enrollment.id}/complete`))
  // After the last day of the group, and before the new year begins.
  await good(owner.post(`/students/${leaves}/status`, { status: 'withdrawn', leftOn: '2026-07-31' }))
  await good(owner.post(`/students/${leavesLater}/status`, { status: 'withdrawn', leftOn: '2026-09-20' }))
  const why = async () => {
    const { students } = (await planOf([groupId])).groups[0]
    const reasons = new Map(students.map((one: { studentId: string; leftOut: string }) => [one.studentId, one.leftOut]))
    return [stays, done, leaves, leavesLater].map((id) => reasons.get(id))
  }
  expect(await why()).toEqual([null, 'left_before_end', 'left_before_end', null])
  app.clock.set('2026-03-20T08:00:00.000Z')
  await good(owner.patch(`/groups/${groupId}`, { status: 'completed' }))
  expect(await why()).toEqual([null, 'left_before_end', 'withdrawn', null])
})

test('who is merged into another record before their new group is filled has their place as that one', async () => {
  const [{ groupId: first }, { groupId: second }] = [await newYearGroup(institute), await newYearGroup(institute)]
  const kept = await newMember(institute, first)
  const twin = await newMember(institute, second)
  const { isDone, groups } = await good(rollOver([first, second]))
  // The second group waits for its job.
  expect(isDone).toBe(false)
  await good(owner.post(`/students/${kept}/merge`, { otherId: twin }))
  await app.drain()
  for (const { newGroupId } of groups) {
    expect(await enrolledIn(newGroupId)).toMatchObject([{ studentId: kept }])
  }
})

describe('the plan', () => {
  test('keeps nothing, and says names, lessons, closed days, clashes and who teaches no more', async () => {
    const { groupId, teacherStaffId } = await newYearGroup(institute, { room: '12' })
    const { groupId: beside } = await newYearGroup(institute, { teacherStaffId, room: ' 12 ', name: 'Beside' })
    await create(institute, '/closures', { name: 'Autumn', from: '2026-09-13', to: '2026-09-15' })
    const before = (await good(owner.get('/groups?limit=100'))).data.length
    const { groups } = await planOf([groupId, beside])
    expect(groups).toMatchObject([
      {
        groupId,
        newGroupId: null,
        formerName: 'English 2025/26',
        name: 'English 2026/27',
        endsOn: '2026-06-30',
        times: [{ weekday: 1, startTime: '16:00', endTime: '17:00' }],
        closedLessons: 1,
        lessons: 42,
        teacher: { staffId: teacherStaffId, isKept: true },
        clashes: [
          { kind: 'teacher', weekday: 1, groupId: null, groupName: 'Beside 2026/27' },
          { kind: 'room', groupId: null, groupName: 'Beside 2026/27' },
        ],
      },
      { name: 'Beside 2026/27' },
    ])
    // One that stays as it is has no end, and so meets in the new year too.
    await owner.patch(`/groups/${beside}`, { endsOn: null })
    expect((await planOf([groupId])).groups[0].clashes).toMatchObject([
      { kind: 'teacher', groupId: beside, groupName: 'Beside' },
      { kind: 'room', groupId: beside },
    ])
    await owner.patch(`/staff/${teacherStaffId}`, { isActive: false })
    const named = await planOf([groupId], { names: [{ groupId, name: 'Advanced' }] })
    expect(named.groups[0]).toMatchObject({
      name: 'Advanced',
      teacher: { staffId: teacherStaffId, isKept: false },
      clashes: [{ kind: 'room' }],
    })
    expect((await good(owner.get('/groups?limit=100'))).data).toHaveLength(before)
    expect(await auditOf(app, institute, 'groups.rollover')).toEqual([])
  })
})
