import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { newGroup, newPupil, newSession, newStaff, twiceAWeek } from '../examples/sessions.ts'

interface SessionView {
  id: string
  scheduledStart: string
  scheduledEnd: string
  status: string
  topic: string | null
}

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
})
afterAll(() => app.close())

const monday = { weekday: 1, startTime: '16:00', endTime: '17:30', validFrom: '2026-03-01', validTo: null }

const sessionsOf = async (groupId: string, client = owner): Promise<SessionView[]> =>
  (await client.get(`/groups/${groupId}/sessions?limit=100`)).body.data

const startsOf = async (groupId: string): Promise<string[]> =>
  (await sessionsOf(groupId)).map(({ scheduledStart }) => scheduledStart)

const scheduled = async (schedules: unknown[] = [monday], fields = {}): Promise<string> => {
  const groupId = await newGroup(institute, fields)
  const reply = await owner.put(`/groups/${groupId}/schedules`, { schedules })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return groupId
}

describe('GET and PUT /groups/{id}/schedules', () => {
  test('are plain arrays, in the order of the week; an omitted validTo is null', async () => {
    const groupId = await newGroup(institute)
    expect(await owner.get(`/groups/${groupId}/schedules`)).toMatchObject({ status: 200, body: [] })
    const [first, second] = twiceAWeek
    const { validTo: _, ...open } = second as (typeof twiceAWeek)[number]
    const put = await owner.put(`/groups/${groupId}/schedules`, { schedules: [open, first] })
    expect(put).toMatchObject({ status: 200 })
    expect(put.body).toEqual(twiceAWeek.map((rule) => ({ id: expect.any(String), groupId, ...rule })))
    expect((await owner.get(`/groups/${groupId}/schedules`)).body).toEqual(put.body)
  })

  test('replacing generates the sessions from today through eight weeks', async () => {
    const groupId = await scheduled()
    expect(await startsOf(groupId)).toEqual([
      '2026-03-02T14:00:00.000Z',
      '2026-03-09T14:00:00.000Z',
      '2026-03-16T14:00:00.000Z',
      '2026-03-23T14:00:00.000Z',
      // Summer time begins on 27 March.
      '2026-03-30T13:00:00.000Z',
      '2026-04-06T13:00:00.000Z',
      '2026-04-13T13:00:00.000Z',
      '2026-04-20T13:00:00.000Z',
      '2026-04-27T13:00:00.000Z',
    ])
    expect((await owner.post(`/groups/${groupId}/sessions/generate`)).body).toEqual({ created: 0, total: 9 })
  })

  test.each([
    ['a weekday beyond Saturday', { weekday: 7 }, ['schedules', '0', 'weekday']],
    ['a weekday that is no whole number', { weekday: 1.5 }, ['schedules', '0', 'weekday']],
    ['a time without its colon', { startTime: '1600' }, ['schedules', '0', 'startTime']],
    ['the end of the day as 24:00', { endTime: '24:00' }, ['schedules', '0', 'endTime']],
    ['an end that is not after the start', { endTime: '16:00' }, ['schedules', '0', 'endTime']],
    ['a day that does not exist', { validFrom: '2026-02-30' }, ['schedules', '0', 'validFrom']],
    ['a last day before the first', { validTo: '2026-02-28' }, ['schedules', '0', 'validTo']],
  ])('%s is 422', async (_, wrong, path) => {
    const groupId = await newGroup(institute)
    const reply = await owner.put(`/groups/${groupId}/schedules`, { schedules: [{ ...monday, ...wrong }] })
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path }] } } },
    })
  })

  test('two overlapping rules are 422, and nothing changes; one may begin when another ends', async () => {
    const groupId = await scheduled()
    const before = await owner.get(`/groups/${groupId}/schedules`)
    const overlapping = { schedules: [monday, { ...monday, startTime: '17:29', endTime: '18:00' }] }
    expect(await owner.put(`/groups/${groupId}/schedules`, overlapping)).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['schedules', '1'] }] } } },
    })
    expect((await owner.get(`/groups/${groupId}/schedules`)).body).toEqual(before.body)
    const adjacent = { schedules: [monday, { ...monday, startTime: '17:30', endTime: '18:00' }] }
    expect((await owner.put(`/groups/${groupId}/schedules`, adjacent)).status).toBe(200)
  })

  test('unchanged slots keep their session and what was written on it', async () => {
    const groupId = await scheduled()
    const [first, second] = (await sessionsOf(groupId)) as [SessionView, SessionView]
    const teacherStaffId = await newStaff(institute)
    await owner.patch(`/sessions/${first.id}`, { topic: 'Fractions', teacherStaffId })
    await owner.patch(`/sessions/${second.id}`, {
      scheduledStart: '2026-03-10T08:00:00.000Z',
      scheduledEnd: '2026-03-10T09:00:00.000Z',
    })
    const before = await sessionsOf(groupId)
    const wednesday = { ...monday, weekday: 3 }
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [monday, wednesday] })
    const after = await sessionsOf(groupId)
    const ids = new Set(before.map(({ id }) => id))
    expect(after.filter(({ id }) => ids.has(id))).toEqual(before)
    expect(after.filter(({ id }) => !ids.has(id))).toHaveLength(8)
  })

  test('an unchanged rule keeps its id', async () => {
    const groupId = await newGroup(institute)
    const put = (schedules: unknown[]) => owner.put(`/groups/${groupId}/schedules`, { schedules })
    const { body: both } = await put(twiceAWeek)
    expect((await put(twiceAWeek.toReversed())).body).toEqual(both)
    const later = { ...twiceAWeek[1], startTime: '17:45', endTime: '19:00' }
    const { body } = await put([twiceAWeek[0], later])
    expect(body).toEqual([both[0], { ...both[1], ...later, id: expect.any(String) }])
    expect(body[1].id).not.toBe(both[1].id)
  })

  test('removed slots lose their session and new ones get one; held, cancelled and one-off sessions stay', async () => {
    const groupId = await newGroup(institute)
    const studentId = await newPupil(institute, groupId)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [monday] })
    const [held, cancelled, gone] = (await sessionsOf(groupId)) as [SessionView, SessionView, SessionView]
    const oneOff = await newSession(institute, groupId)
    await owner.put(`/sessions/${held.id}/attendance`, { entries: [{ studentId, status: 'present' }] })
    await owner.patch(`/sessions/${cancelled.id}`, { status: 'cancelled', reason: 'Holiday' })
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [{ ...monday, startTime: '15:00' }] })
    const after = await sessionsOf(groupId)
    const statuses = Object.fromEntries(after.map(({ id, status }) => [id, status]))
    expect(statuses).toMatchObject({ [held.id]: 'held', [cancelled.id]: 'cancelled', [oneOff]: 'scheduled' })
    expect(statuses[gone.id]).toBeUndefined()
    expect((await owner.get(`/sessions/${gone.id}`)).status).toBe(404)
    expect(after.filter(({ status }) => status === 'scheduled')).toHaveLength(10)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [] })
    expect((await sessionsOf(groupId)).map(({ id }) => id).toSorted()).toEqual(
      [held.id, cancelled.id, oneOff].toSorted(),
    )
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [monday] })
    // The held and the cancelled session still count as those occurrences: no second one is made.
    expect(await sessionsOf(groupId)).toHaveLength(10)
  })

  test('a session follows the end of its rule, unless it was rescheduled', async () => {
    const groupId = await scheduled()
    const [moved, plain] = (await sessionsOf(groupId)) as [SessionView, SessionView]
    await owner.patch(`/sessions/${moved.id}`, { scheduledEnd: '2026-03-02T17:00:00.000Z' })
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [{ ...monday, endTime: '18:00' }] })
    const after = await sessionsOf(groupId)
    expect(after).toHaveLength(9)
    expect(after[0]).toMatchObject({ id: moved.id, scheduledEnd: '2026-03-02T17:00:00.000Z' })
    expect(after[1]).toMatchObject({ id: plain.id, scheduledEnd: '2026-03-09T16:00:00.000Z' })
  })

  test('a session that has begun stays, whatever the new rules are', async () => {
    const groupId = await scheduled([{ ...monday, startTime: '09:00', endTime: '11:00' }])
    const [begun] = (await sessionsOf(groupId)) as [SessionView]
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [] })
    expect(await sessionsOf(groupId)).toEqual([begun])
  })

  test('sessions are generated again as far ahead as they had been before', async () => {
    const groupId = await scheduled()
    await owner.post(`/groups/${groupId}/sessions/generate`, { until: '2026-07-06' })
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [{ ...monday, startTime: '10:30' }] })
    const starts = await startsOf(groupId)
    expect(starts).toHaveLength(19)
    expect(starts.at(-1)).toBe('2026-07-06T07:30:00.000Z')
  })

  test('no session is before the group’s startsOn or after its endsOn', async () => {
    const groupId = await scheduled([monday], { startsOn: '2026-03-10', endsOn: '2026-03-23' })
    expect(await startsOf(groupId)).toEqual(['2026-03-16T14:00:00.000Z', '2026-03-23T14:00:00.000Z'])
    expect((await owner.post(`/groups/${groupId}/sessions/generate`)).body).toEqual({ created: 0, total: 2 })
  })

  test('two concurrent replacements run one after the other', async () => {
    const groupId = await newGroup(institute)
    const rules = ['08:00', '10:00', '12:00', '14:00'].map((startTime) => ({ ...monday, startTime }))
    await Promise.all(rules.map((rule) => owner.put(`/groups/${groupId}/schedules`, { schedules: [rule] })))
    const { body } = await owner.get(`/groups/${groupId}/schedules`)
    expect(body).toHaveLength(1)
    const upcoming = (await startsOf(groupId)).filter((start) => start > app.clock.now())
    const expected = ['08:00', '10:00'].includes(body[0].startTime) ? 8 : 9
    expect(upcoming).toHaveLength(expected)
  })

  test('the audit entry has the rules before and after, and the removed sessions', async () => {
    const fresh = await makeInstitute(app)
    const groupId = await newGroup(fresh)
    await fresh.owner.put(`/groups/${groupId}/schedules`, { schedules: [monday] })
    await fresh.owner.put(`/groups/${groupId}/schedules`, { schedules: [] })
    const [first, second] = await auditOf(app, fresh, 'schedules.replace')
    expect(first).toMatchObject({
      entity_type: 'group',
      entity_id: groupId,
      before: { schedules: [], removedSessions: [] },
      after: { schedules: [{ weekday: 1, startTime: '16:00' }] },
      metadata: { createdSessions: 9, removedSessions: 0 },
    })
    expect(second).toMatchObject({ after: { schedules: [] }, metadata: { createdSessions: 0, removedSessions: 9 } })
    expect((second as { before: { removedSessions: unknown[] } }).before.removedSessions).toHaveLength(9)
  })

  test('need groups.read and groups.write; a teacher reads those of their own groups', async () => {
    const teacher = await institute.member({ role: 'teacher' })
    const own = await newGroup(institute, { teacherStaffId: await newStaff(institute, { userId: teacher.userId }) })
    const other = await newGroup(institute)
    expect((await teacher.get(`/groups/${own}/schedules`)).status).toBe(200)
    expect((await teacher.get(`/groups/${other}/schedules`)).status).toBe(404)
    const put = await teacher.put(`/groups/${own}/schedules`, { schedules: [] })
    expect(put).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })
})

describe('clock changes in Asia/Jerusalem', () => {
  test('27 March 2026: a start that is skipped moves forward by the gap, and keeps its slot', async () => {
    const spring = await startApp({ now: '2026-03-19T20:00:00.000Z' })
    const jerusalem = await makeInstitute(spring)
    const groupId = await newGroup(jerusalem)
    const friday = { weekday: 5, startTime: '02:30', endTime: '04:00', validFrom: '2026-03-20', validTo: '2026-04-03' }
    await jerusalem.owner.put(`/groups/${groupId}/schedules`, { schedules: [friday] })
    const times = async () =>
      (await sessionsOf(groupId, jerusalem.owner)).map(({ scheduledStart, scheduledEnd }) => [
        scheduledStart,
        scheduledEnd,
      ])
    const expected = [
      ['2026-03-20T00:30:00.000Z', '2026-03-20T02:00:00.000Z'],
      ['2026-03-27T00:30:00.000Z', '2026-03-27T01:00:00.000Z'],
      ['2026-04-02T23:30:00.000Z', '2026-04-03T01:00:00.000Z'],
    ]
    expect(await times()).toEqual(expected)
    const again = await jerusalem.owner.post(`/groups/${groupId}/sessions/generate`)
    expect(again.body).toEqual({ created: 0, total: 3 })
    await jerusalem.owner.put(`/groups/${groupId}/schedules`, { schedules: [friday] })
    expect(await times()).toEqual(expected)
    await spring.close()
  })

  test('25 October 2026: a time that occurs twice is the first', async () => {
    const autumn = await startApp({ now: '2026-10-20T06:00:00.000Z' })
    const jerusalem = await makeInstitute(autumn)
    const groupId = await newGroup(jerusalem)
    const sunday = { weekday: 0, startTime: '01:30', endTime: '03:00', validFrom: '2026-10-18', validTo: '2026-11-01' }
    await jerusalem.owner.put(`/groups/${groupId}/schedules`, { schedules: [sunday] })
    expect(await sessionsOf(groupId, jerusalem.owner)).toMatchObject([
      { scheduledStart: '2026-10-24T22:30:00.000Z', scheduledEnd: '2026-10-25T01:00:00.000Z' },
      { scheduledStart: '2026-10-31T23:30:00.000Z', scheduledEnd: '2026-11-01T01:00:00.000Z' },
    ])
    await autumn.close()
  })
})
