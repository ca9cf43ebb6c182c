import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client, Reply } from '#kit/client.ts'
import { newFamily, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { newGroup, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Sunday 2026-11-15, ten in the morning in Jerusalem.
  app = await startApp({ now: '2026-11-15T08:00:00.000Z', config: LONG_TOKENS })
})
afterAll(() => app.close())

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
const sessionsOf = async (groupId: string): Promise<any[]> => {
  const first = (await owner.get(`/groups/${groupId}/sessions?limit=100`)).body
  if (first.nextCursor === null) return first.data
  const { data } = (await owner.get(`/groups/${groupId}/sessions?limit=100&cursor=${first.nextCursor}`)).body
  return [...first.data, ...data]
}

const dayOf = ({ scheduledStart }: { scheduledStart: string }): string => scheduledStart.slice(0, 10)

/** On each day but Friday and Saturday. */
const daily = [0, 1, 2, 3, 4].map((weekday) => ({
  weekday,
  startTime: '16:00',
  endTime: '17:00',
  validFrom: '2026-11-01',
  validTo: null,
}))

let family: TestFamily

/** A family's group, whose lessons are made to its end. */
const newYear = async (endsOn: string | null = '2027-01-17'): Promise<string> => {
  institute = await makeInstitute(app)
  owner = institute.owner
  family = await newFamily(institute)
  const { groupId } = family
  await owner.patch(`/groups/${groupId}`, { startsOn: '2026-11-01', endsOn })
  await owner.put(`/groups/${groupId}/schedules`, { schedules: daily })
  await owner.post(`/groups/${groupId}/sessions/generate`, { until: '2027-01-31' })
  await app.drain()
  app.mails.length = 0
  return groupId
}

const mailsTo = (address: string) => app.mails.filter(({ to }) => to.includes(address))

test('a lesson of a group that was completed does not come back when its day is over and closed days change', async () => {
  const groupId = await newYear()
  const [written] = (await sessionsOf(groupId)).filter((session) => dayOf(session) > '2026-12-01')
  await owner.patch(`/sessions/${written.id}`, { topic: 'Fractions' })
  await owner.patch(`/groups/${groupId}`, { status: 'completed' })
  const now = app.clock.now()
  try {
    app.clock.set(written.scheduledEnd)
    const day = dayOf(written)
    const { id } = (await owner.post('/closures', { name: 'Snow', from: day, to: day })).body
    await owner.delete(`/closures/${id}`)
    expect((await owner.get(`/sessions/${written.id}`)).body).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'group',
    })
  } finally {
    app.clock.set(now)
  }
})

describe('endsOn moved from 17 January to 8 December', () => {
  test('the lessons after it are removed, and families hear once, in one message', async () => {
    const groupId = await newYear()
    const before = await sessionsOf(groupId)
    const after8 = before.filter((session) => dayOf(session) > '2026-12-08')
    expect(after8.length).toBeGreaterThan(20)
    const change = { endsOn: '2026-12-08' }
    const asked = await owner.post(`/groups/${groupId}/rehearsal`, change)
    const consequences = { removed: after8.length, cancelled: 0, restored: 0, created: 0, completedEnrollments: 0 }
    expect(asked).toMatchObject({ status: 200, body: consequences })
    expect(await sessionsOf(groupId)).toEqual(before)
    const { body: group } = await owner.get(`/groups/${groupId}`)
    const stale = await owner.post(`/groups/${groupId}/rehearsal`, { ...change, version: group.version - 1 })
    expect([stale.status, stale.body.error.code]).toEqual([409, 'VERSION_CONFLICT'])
    expect((await owner.patch(`/groups/${groupId}`, change)).status).toBe(200)
    const left = await sessionsOf(groupId)
    expect(left).toEqual(before.filter((session) => dayOf(session) <= '2026-12-08'))
    const [, , entry] = await auditOf(app, institute, 'groups.update')
    expect(entry ?? (await auditOf(app, institute, 'groups.update')).at(-1)).toMatchObject({
      metadata: { followed: consequences },
    })
    await app.drain()
    for (const address of ['mother@example.org', 'father@example.org', 'student@example.org', 'teacher@example.org']) {
      expect(mailsTo(address), address).toHaveLength(1)
    }
    expect(mailsTo('student@example.org')[0]?.text).toContain(
      `The group ends earlier.\nLessons that do not take place: ${after8.length}, from Wednesday, 9 December 2026 to Sunday, 17 January 2027.`,
    )
    // Back again, they are there again, to the end that they had had.
    await owner.patch(`/groups/${groupId}`, { endsOn: '2027-01-17' })
    expect((await sessionsOf(groupId)).map(dayOf)).toEqual(before.map(dayOf))
  })

  test('what somebody wrote on, moved or added is cancelled and comes back; held and cancelled by hand stay', async () => {
    const groupId = await newYear()
    const all = await sessionsOf(groupId)
    const [written, moved, byHand] = all.filter((session) => dayOf(session) > '2026-12-20')
    await owner.patch(`/sessions/${written.id}`, { topic: 'Fractions' })
    await owner.patch(`/sessions/${moved.id}`, { scheduledEnd: moved.scheduledEnd.replace(':00:00.', ':30:00.') })
    await owner.patch(`/sessions/${byHand.id}`, { status: 'cancelled', reason: 'Flu' })
    const oneOff = await newSession(institute, groupId, {
      scheduledStart: '2026-12-11T08:00:00.000Z',
      scheduledEnd: '2026-12-11T09:00:00.000Z',
    })
    const afterEnd = await newSession(institute, groupId, {
      scheduledStart: '2027-01-20T08:00:00.000Z',
      scheduledEnd: '2027-01-20T09:00:00.000Z',
    })
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-12-08' })
    const read = async (id: string) => (await owner.get(`/sessions/${id}`)).body
    for (const id of [written.id, moved.id, oneOff]) {
      expect(await read(id)).toMatchObject({
        status: 'cancelled',
        cancelledBy: 'group',
        cancelReason: expect.stringMatching(/ends earlier|تنتهي|מסתיימת/),
      })
    }
    expect(await read(byHand.id)).toMatchObject({ cancelledBy: 'hand', cancelReason: 'Flu' })
    expect(await read(afterEnd)).toMatchObject({ status: 'scheduled' })
    await owner.patch(`/groups/${groupId}`, { endsOn: '2027-01-17' })
    for (const id of [written.id, moved.id, oneOff]) {
      expect(await read(id)).toMatchObject({ status: 'scheduled', cancelledBy: null, cancelReason: null })
    }
    expect(await read(byHand.id)).toMatchObject({ status: 'cancelled' })
  })

  test('a lesson that is over and was never marked is cancelled, and nobody is told of it', async () => {
    const groupId = await newYear()
    const today = (await sessionsOf(groupId)).find((session) => dayOf(session) === '2026-11-15')
    await app.pass(10 * 3600)
    owner = await institute.member({ permissions: ['groups.write'] })
    app.mails.length = 0
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-11-15' })
    await app.drain()
    expect(mailsTo('mother@example.org')).toHaveLength(1)
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-11-14' })
    expect((await owner.get(`/sessions/${today.id}`)).body).toMatchObject({ status: 'cancelled', cancelledBy: 'group' })
    await app.drain()
    expect(mailsTo('mother@example.org')).toHaveLength(1)
  })
})

describe('the status of a group', () => {
  test('cancelled: its lessons to come go, its teacher is not asked to mark them, and families hear once', async () => {
    const groupId = await newYear()
    await owner.patch(`/groups/${groupId}`, { status: 'cancelled' })
    const left = await sessionsOf(groupId)
    expect(
      left.filter(({ scheduledStart, status }) => scheduledStart > app.clock.now() && status !== 'cancelled'),
    ).toEqual([])
    await app.drain()
    expect(mailsTo('mother@example.org')).toHaveLength(1)
    expect(mailsTo('student@example.org')[0]?.text).toContain('The group does not take place.')
    expect((await owner.post(`/groups/${groupId}/sessions/generate`)).body).toEqual({ created: 0, total: 0 })
  })

  test('completed: it completes its enrollments, and who completed it hears of lessons that do not take place', async () => {
    const groupId = await newYear()
    const asked = await owner.post(`/groups/${groupId}/rehearsal`, { status: 'completed' })
    expect(asked.body.completedEnrollments).toBe(1)
    await owner.patch(`/groups/${groupId}`, { status: 'completed' })
    const { data } = (await owner.get(`/groups/${groupId}/enrollments`)).body
    expect(data).toMatchObject([{ status: 'completed' }])
    await app.drain()
    expect(mailsTo('mother@example.org')).toHaveLength(1)
    // Active again, it has its lessons; the enrollments were ended for good.
    await owner.patch(`/groups/${groupId}`, { status: 'active' })
    expect((await sessionsOf(groupId)).length).toBeGreaterThan(20)
  })

  test('another field changes no lesson, and tells nobody', async () => {
    const groupId = await newYear()
    const before = await sessionsOf(groupId)
    await owner.patch(`/groups/${groupId}`, { name: 'Algebra 2' })
    expect(await sessionsOf(groupId)).toEqual(before)
    await app.drain()
    expect(app.mails).toEqual([])
  })

  test('a webhook hears of each lesson that is cancelled', async () => {
    const groupId = await newYear()
    const [session] = (await sessionsOf(groupId)).filter(({ scheduledStart }) => scheduledStart > app.clock.now())
    await owner.patch(`/sessions/${session.id}`, { topic: 'Fractions' })
    await owner.patch(`/groups/${groupId}`, { status: 'cancelled' })
    expect((await eventsOf(app, institute, 'session.cancelled')).map(({ sessionId }) => sessionId)).toContain(
      session.id,
    )
  })
})

test('two changes at once of the dates of a group leave what the last one says', async () => {
  const groupId = await newYear()
  await Promise.all(
    ['2026-12-08', '2026-12-20', '2026-12-01'].map((endsOn) => owner.patch(`/groups/${groupId}`, { endsOn })),
  )
  const { endsOn } = (await owner.get(`/groups/${groupId}`)).body
  const days = (await sessionsOf(groupId)).map(dayOf)
  expect(days.at(-1)! <= endsOn).toBe(true)
  expect(new Set(days).size).toBe(days.length)
})

describe('a year of lessons', () => {
  const twice = daily.flatMap((rule) => [rule, { ...rule, startTime: '18:00', endTime: '19:00' }])
  const last = '2027-10-31'

  /** More lessons than follow in the request itself. */
  const newLongYear = async () => {
    const groupId = await newYear(last)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: twice })
    await owner.post(`/groups/${groupId}/sessions/generate`, { until: last })
    const before = await startsOf(groupId)
    expect(before.length).toBeGreaterThan(450)
    await app.drain()
    app.mails.length = 0
    return { groupId, before }
  }

  const allOf = async (path: string): Promise<{ scheduledStart: string }[]> => {
    const all: { scheduledStart: string }[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const separator = path.includes('?') ? '&' : '?'
      const { body }: Reply = await owner.get(`${path}${separator}limit=100${cursor && `&cursor=${cursor}`}`)
      all.push(...body.data)
      cursor = body.nextCursor
    }
    return all
  }

  const startsOf = async (groupId: string): Promise<string[]> =>
    (await allOf(`/groups/${groupId}/sessions`)).map(({ scheduledStart }) => scheduledStart)

  test('follows a new last day in slices; the audit and the one message say all of it', async () => {
    const { groupId, before } = await newLongYear()
    const gone = before.filter((start) => start.slice(0, 10) > '2026-12-08')
    const asked = await owner.post(`/groups/${groupId}/rehearsal`, { endsOn: '2026-12-08' })
    expect(asked.body).toMatchObject({ removed: gone.length, created: 0 })
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-12-08' })
    const audit = (await auditOf(app, institute, 'groups.update')).at(-1)
    expect(audit).toMatchObject({ metadata: { followed: { removed: gone.length, created: 0 } } })
    expect((await startsOf(groupId)).length).toBeGreaterThan(before.length - gone.length)
    await app.drain()
    expect(await startsOf(groupId)).toEqual(before.filter((start) => !gone.includes(start)))
    expect(mailsTo('student@example.org')).toHaveLength(1)
    expect(mailsTo('student@example.org')[0]?.text).toContain(`Lessons that do not take place: ${gone.length}, from `)
  })

  test('whose group is changed again while the first change is under way stands as the last one says', async () => {
    const { groupId, before } = await newLongYear()
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-12-08' })
    await owner.patch(`/groups/${groupId}`, { endsOn: last })
    await app.drain()
    expect(await startsOf(groupId)).toEqual(before)
    // Of lessons that take place after all nobody is told that they do not.
    for (const { text } of mailsTo('student@example.org')) expect(text).not.toContain('Lessons that do not take place')
  })

  test('is made again to its end, also where it ends earlier and later once more in between', async () => {
    const { groupId, before } = await newLongYear()
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-12-08' })
    await app.drain()
    await owner.patch(`/groups/${groupId}`, { endsOn: last })
    await owner.patch(`/groups/${groupId}`, { endsOn: '2027-08-31' })
    await owner.patch(`/groups/${groupId}`, { endsOn: last })
    await app.drain()
    expect(await startsOf(groupId)).toEqual(before)
  })

  test('follows also where a lesson that is not reached yet is moved to a day that is done', async () => {
    const { groupId, before } = await newLongYear()
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-12-08' })
    const day = before.at(-1)?.slice(0, 10)
    const [moved] = (await owner.get(`/sessions?from=${day}&to=${day}`)).body.data
    const times = { scheduledStart: '2026-12-01T08:00:00.000Z', scheduledEnd: '2026-12-01T09:00:00.000Z' }
    expect((await owner.patch(`/sessions/${moved.id}`, times)).status).toBe(200)
    await app.drain()
    expect((await owner.get(`/sessions/${moved.id}`)).body).toMatchObject({ status: 'cancelled', cancelledBy: 'group' })
    const kept = before.filter((start) => start.slice(0, 10) <= '2026-12-08')
    expect(await startsOf(groupId)).toEqual([...kept, times.scheduledStart].toSorted())
  })

  test('follows closed days that move from one part of it to another', async () => {
    const { groupId, before } = await newLongYear()
    const startsIn = async (status: string) =>
      (await allOf(`/groups/${groupId}/sessions?status=${status}`)).map(({ scheduledStart }) => scheduledStart)
    const within = (from: string, to: string) => before.filter((start) => start >= from && start.slice(0, 10) <= to)
    const days = { from: '2026-12-01', to: '2027-03-31' }
    const { id } = (await owner.post('/closures', { name: 'Building work', ...days })).body
    await app.drain()
    expect(await startsIn('cancelled')).toEqual(within(days.from, days.to))
    // The last of the former days stay closed.
    await owner.patch(`/closures/${id}`, { from: '2027-03-15', to: '2027-08-31' })
    await app.drain()
    expect(await startsIn('cancelled')).toEqual(within('2027-03-15', '2027-08-31'))
    await owner.delete(`/closures/${id}`)
    await app.drain()
    expect(await startsIn('scheduled')).toEqual(before)
  })

  test('of a group that is deleted meanwhile is gone, and the rest of the work with it', async () => {
    institute = await makeInstitute(app)
    owner = institute.owner
    const groupId = await newGroup(institute, { startsOn: '2026-11-01', endsOn: last })
    await owner.put(`/groups/${groupId}/schedules`, { schedules: twice })
    await owner.post(`/groups/${groupId}/sessions/generate`, { until: last })
    await owner.patch(`/groups/${groupId}`, { endsOn: '2026-12-08' })
    expect((await owner.delete(`/groups/${groupId}`)).status).toBe(200)
    await app.drain()
    expect((await owner.get(`/groups/${groupId}`)).status).toBe(404)
  })
})

test('a group without lessons has none after a change of its dates, and nobody is told', async () => {
  await newYear()
  const empty = await newGroup(institute)
  await owner.patch(`/groups/${empty}`, { endsOn: '2026-12-08' })
  await app.drain()
  expect(app.mails).toEqual([])
  expect(await sessionsOf(empty)).toEqual([])
})
