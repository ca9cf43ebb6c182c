import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { create, newGroup, newPupil, newSession, newStaff } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client
let absent: string
let substitute: string
let groupId: string

const WEEKDAYS = [1, 2, 3, 4].map((weekday) => ({
  weekday,
  startTime: '16:00',
  endTime: '17:00',
  validFrom: '2026-03-01',
  validTo: null,
}))
const WEEK = { from: '2026-03-03', to: '2026-03-05' }

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
  absent = await newStaff(institute, { firstName: 'Rania', lastName: 'Away', email: 'away@example.org' })
  substitute = await newStaff(institute, { firstName: 'Omar', lastName: 'Here', email: 'here@example.org' })
  groupId = await newGroup(institute, { teacherStaffId: absent })
  await owner.put(`/groups/${groupId}/schedules`, { schedules: WEEKDAYS })
})

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
const sessionsOf = async (id = groupId): Promise<any[]> =>
  (await owner.get(`/groups/${id}/sessions?limit=100`)).body.data
const on = async (day: string, id = groupId) =>
  (await sessionsOf(id)).filter(({ scheduledStart }) => scheduledStart.startsWith(day))
/** Who gives each session of some days; null: the group's own teacher. */
const givers = async (...days: string[]) =>
  (await Promise.all(days.map((day) => on(day)))).flat().map(({ teacherStaffId }) => teacherStaffId)
const plan = (body: object = {}, staffId = absent) =>
  owner.post(`/staff/${staffId}/cover`, { substituteStaffId: substitute, ...WEEK, ...body })

describe('a cover', () => {
  test('gives the sessions of its days to another, and tells them once', async () => {
    await app.drain()
    app.mails.length = 0
    const planned = await plan({ reason: 'Reserve duty' })
    expect(planned).toMatchObject({
      status: 201,
      body: {
        dryRun: false,
        cover: {
          staffId: absent,
          staffName: 'Rania Away',
          substituteStaffId: substitute,
          substituteName: 'Omar Here',
          ...WEEK,
          groupIds: null,
          reason: 'Reserve duty',
          coveredSessions: 3,
        },
        sessions: [3, 4, 5].map((day) => ({
          groupId,
          scheduledStart: `2026-03-0${day}T14:00:00.000Z`,
          isCovered: true,
          clashes: [],
        })),
      },
    })
    expect(await givers('2026-03-02', '2026-03-03', '2026-03-05', '2026-03-09')).toEqual([
      null,
      substitute,
      substitute,
      null,
    ])
    await app.drain()
    expect(app.mails.map(({ to }) => to)).toEqual(['here@example.org'])
    expect(app.mails[0]).toMatchObject({ subject: expect.stringContaining('Rania Away') })
    expect(app.mails[0]?.text).toContain('16:00')
    const { cover } = planned.body
    expect((await owner.get(`/covers?staffId=${absent}`)).body).toEqual({ data: [cover], nextCursor: null })
    expect(await auditOf(app, institute, 'covers.plan')).toMatchObject([{ entity_id: cover.id }])
  })

  test('is rehearsed: the clashes are shown, and nothing is changed or told', async () => {
    const other = await newGroup(institute, { teacherStaffId: substitute, name: 'Choir' })
    await newSession(institute, other, {
      scheduledStart: '2026-03-04T13:30:00.000Z',
      scheduledEnd: '2026-03-04T14:30:00.000Z',
    })
    const third = await newStaff(institute)
    await plan({ substituteStaffId: third, from: '2026-03-05', to: '2026-03-05' }, substitute)
    await app.drain()
    app.mails.length = 0
    const dry = await plan({ dryRun: true })
    expect(dry).toMatchObject({
      status: 200,
      body: {
        dryRun: true,
        cover: null,
        sessions: [
          { clashes: [] },
          { clashes: [{ kind: 'lesson', groupName: 'Choir', scheduledStart: '2026-03-04T13:30:00.000Z' }] },
          { clashes: [{ kind: 'absence', groupName: null, scheduledStart: null }] },
        ],
      },
    })
    expect(await givers('2026-03-03', '2026-03-04', '2026-03-05')).toEqual([null, null, null])
    await app.drain()
    expect(app.mails).toEqual([])
    const exceptSessionIds = dry.body.sessions
      .filter(({ clashes }: { clashes: unknown[] }) => clashes.length > 0)
      .map(({ sessionId }: { sessionId: string }) => sessionId)
    expect((await plan({ exceptSessionIds })).body).toMatchObject({
      cover: { coveredSessions: 1 },
      sessions: [{ isCovered: true }, { isCovered: false }, { isCovered: false }],
    })
    expect(await givers('2026-03-03', '2026-03-04', '2026-03-05')).toEqual([substitute, null, null])
  })

  test('holds for sessions that are made later: of the weekly times, by hand, and those that closed days give back', async () => {
    const closure = await create(institute, '/closures', { name: 'Strike', from: '2026-03-04', to: '2026-03-04' })
    await plan()
    const late = { ...WEEKDAYS[2], startTime: '18:00', endTime: '19:00' }
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [...WEEKDAYS, late] })
    expect(await givers('2026-03-04')).toEqual([null])
    await owner.delete(`/closures/${closure}`)
    expect(await givers('2026-03-04')).toEqual([substitute, substitute])
    const times = { scheduledStart: '2026-03-05T17:00:00.000Z', scheduledEnd: '2026-03-05T18:00:00.000Z' }
    const added = await owner.post(`/groups/${groupId}/sessions`, times)
    expect(added.body).toMatchObject({ teacherStaffId: substitute })
    const other = await newStaff(institute)
    const own = await owner.post(`/groups/${groupId}/sessions`, { ...times, teacherStaffId: other })
    expect(own.body).toMatchObject({ teacherStaffId: other })
    const [cover] = (await owner.get('/covers')).body.data
    expect(cover).toMatchObject({ coveredSessions: 5 })
    await owner.delete(`/covers/${cover.id}`)
    expect(await givers('2026-03-03', '2026-03-04', '2026-03-05')).toEqual([null, null, null, null, null, other])
  })

  test('is for some groups alone where it names them', async () => {
    const other = await newGroup(institute, { teacherStaffId: absent })
    await owner.put(`/groups/${other}/schedules`, {
      schedules: WEEKDAYS.map((rule) => ({ ...rule, startTime: '08:00', endTime: '09:00' })),
    })
    expect((await plan({ groupIds: [other] })).body).toMatchObject({ cover: { groupIds: [other], coveredSessions: 3 } })
    expect(await givers('2026-03-03')).toEqual([null])
    expect(await on('2026-03-03', other)).toMatchObject([{ teacherStaffId: substitute }])
    const late = { ...WEEKDAYS[2], startTime: '18:00', endTime: '19:00' }
    await owner.put(`/groups/${groupId}/schedules`, { schedules: [...WEEKDAYS, late] })
    expect(await givers('2026-03-04')).toEqual([null, null])
  })

  test('is undone: what it gave goes back, but not what was held or given to a third since', async () => {
    const studentId = await newPupil(institute, groupId)
    const third = await newStaff(institute)
    const { cover, sessions } = (await plan({ from: '2026-03-02' })).body
    const [today, , wednesday] = sessions
    await takeAttendance(app, owner, today.sessionId, { entries: [{ studentId, status: 'present' }] })
    await owner.patch(`/sessions/${wednesday.sessionId}`, { teacherStaffId: third })
    await app.drain()
    app.mails.length = 0
    expect(await owner.delete(`/covers/${cover.id}`)).toMatchObject({ status: 200 })
    expect(await givers('2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05')).toEqual([
      substitute,
      null,
      third,
      null,
    ])
    await app.drain()
    expect(app.mails.map(({ to }) => to)).toEqual(['here@example.org'])
    expect((await owner.get('/covers')).body.data).toEqual([])
    expect(await owner.delete(`/covers/${cover.id}`)).toMatchObject({ status: 404 })
  })

  test('of a substitute who is absent too gives back to whoever had the session before both', async () => {
    const third = await newStaff(institute)
    const first = (await plan()).body.cover
    const second = (await plan({ substituteStaffId: third }, substitute)).body.cover
    expect(await givers('2026-03-03')).toEqual([third])
    await owner.delete(`/covers/${first.id}`)
    expect(await givers('2026-03-03')).toEqual([third])
    await owner.delete(`/covers/${second.id}`)
    expect(await givers('2026-03-03')).toEqual([null])
  })

  test('is told to families once where that is asked for, whatever the number of groups', async () => {
    const family = await newFamily(institute)
    for (const id of [groupId, await newGroup(institute, { teacherStaffId: absent })]) {
      await create(institute, '/enrollments', { studentId: family.studentId, groupId: id })
    }
    await app.drain()
    app.mails.length = 0
    await plan({ tellFamilies: true })
    await app.drain()
    const told = app.mails.filter(({ to }) => to !== 'here@example.org')
    expect(told.length).toBeGreaterThan(0)
    expect(new Set(told.map(({ to }) => to)).size).toBe(told.length)
    for (const mail of told) expect(mail.text).toContain('Omar Here')
  })

  test('has several stand in by one request: a cover for each, and one message for everybody who is told', async () => {
    const dalia = await newStaff(institute, { firstName: 'Dalia', lastName: 'Too', email: 'dalia@example.org' })
    const family = await newFamily(institute)
    await create(institute, '/enrollments', { studentId: family.studentId, groupId })
    await app.drain()
    app.mails.length = 0
    const others = [{ substituteStaffId: dalia, from: '2026-03-04', to: '2026-03-04' }]
    const dry = (await plan({ others, tellFamilies: true, dryRun: true })).body
    expect([dry.cover, dry.covers]).toEqual([null, []])
    const { body } = await plan({ others, tellFamilies: true })
    expect(body.covers).toMatchObject([
      { substituteStaffId: substitute, from: '2026-03-03', to: '2026-03-03', coveredSessions: 1 },
      { substituteStaffId: dalia, from: '2026-03-04', to: '2026-03-04', coveredSessions: 1 },
      { substituteStaffId: substitute, from: '2026-03-05', to: '2026-03-05', coveredSessions: 1 },
    ])
    expect(body.cover).toEqual(body.covers[0])
    const whose = ({ sessions }: typeof body) =>
      sessions.map((one: { substituteStaffId: string }) => one.substituteStaffId)
    for (const one of [dry, body]) expect(whose(one)).toEqual([substitute, dalia, substitute])
    expect(await givers('2026-03-03', '2026-03-04', '2026-03-05')).toEqual([substitute, dalia, substitute])
    await app.drain()
    const told = app.mails.map(({ to }) => to)
    expect(new Set(told).size).toBe(told.length)
    const textTo = (address: string) => app.mails.find(({ to }) => to === address)?.text ?? ''
    // Both of the days that are Omar’s stand in the one message to him, and Dalia reads of hers alone.
    expect(textTo('here@example.org').match(/16:00/g)).toHaveLength(2)
    expect(textTo('dalia@example.org').match(/16:00/g)).toHaveLength(1)
    const ofFamily = app.mails.filter(({ to }) => !['here@example.org', 'dalia@example.org'].includes(to))
    expect(ofFamily.length).toBeGreaterThan(0)
    for (const { text } of ofFamily)
      expect([text.includes('Omar Here'), text.includes('Dalia Too')]).toEqual([true, true])
  })

  test('refuses days of others that lie outside, overlap, or are the absent teacher’s own', async () => {
    const days = (from: string, to = from, substituteStaffId = substitute) => ({ substituteStaffId, from, to })
    for (const [others, path] of [
      [[days('2026-03-02')], 'others.0.from'],
      [[days('2026-03-06')], 'others.0.to'],
      [[days('2026-03-05', '2026-03-04')], 'others.0.to'],
      [[days('2026-03-04', '2026-03-05'), days('2026-03-04')], 'others.'],
      [[days('2026-03-04', '2026-03-04', absent)], 'others.0.substituteStaffId'],
    ] as const) {
      const { status, body } = await plan({ others })
      expect([status, body.error.details.issues[0].path.join('.')]).toEqual([422, expect.stringContaining(path)])
    }
    expect(await plan({ others: [days('2026-03-04', '2026-03-04', groupId)] })).toMatchObject({ status: 404 })
    expect((await owner.get(`/covers?staffId=${absent}`)).body.data).toEqual([])
  })

  test('is refused where it makes no sense', async () => {
    expect(await plan({ substituteStaffId: absent })).toMatchObject({ status: 422 })
    expect(await plan({ to: '2026-03-02' })).toMatchObject({ status: 422 })
    expect(await plan({ from: '2026-02-01', to: '2026-03-01' })).toMatchObject({ status: 422 })
    expect(await plan({ to: '2027-03-06' })).toMatchObject({ status: 422 })
    expect(await plan({ substituteStaffId: groupId })).toMatchObject({ status: 404 })
    expect(await plan({ groupIds: [absent] })).toMatchObject({ status: 404 })
  })

  test('keeps both of the staff from being deleted', async () => {
    await plan({ from: '2026-04-01', to: '2026-04-01' })
    for (const id of [absent, substitute]) expect(await owner.delete(`/staff/${id}`)).toMatchObject({ status: 409 })
  })
})

test('sessions that are made while a cover is planned are covered, whichever comes first', async () => {
  const late = { ...WEEKDAYS[2], startTime: '18:00', endTime: '19:00' }
  await Promise.all([plan(), owner.put(`/groups/${groupId}/schedules`, { schedules: [...WEEKDAYS, late] })])
  expect(await givers('2026-03-04')).toEqual([substitute, substitute])
})

test('two covers of the same days share the sessions: none is given twice', async () => {
  const third = await newStaff(institute)
  const both = await Promise.all([plan(), plan({ substituteStaffId: third })])
  const counts = both.map(({ body }) => body.cover.coveredSessions)
  expect(counts.toSorted()).toEqual([0, 3])
})
