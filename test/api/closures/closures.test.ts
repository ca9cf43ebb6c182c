import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf, eventsOf } from '#kit/records.ts'
import { LONG_TOKENS, takeAttendance } from '#kit/take-attendance.ts'
import { create, newGroup, newPupil, newSession } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client

beforeAll(async () => {
  // Monday 2026-03-02, ten in the morning in Jerusalem.
  app = await startApp({ config: LONG_TOKENS })
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
  owner = institute.owner
})

const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  startTime: '16:00',
  endTime: '17:00',
  validFrom: '2026-03-01',
  validTo: null,
}))

const EID = { name: 'عيد الفطر', from: '2026-03-20', to: '2026-03-22' }

const meeting = async (fields = {}): Promise<string> => {
  const groupId = await newGroup(institute, fields)
  await owner.put(`/groups/${groupId}/schedules`, { schedules: everyDay })
  return groupId
}
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects to find
const sessionsOf = async (groupId: string): Promise<any[]> =>
  (await owner.get(`/groups/${groupId}/sessions?limit=100`)).body.data
const on = async (groupId: string, day: string) =>
  (await sessionsOf(groupId)).filter(({ scheduledStart }) => scheduledStart.startsWith(day))

describe('closed days', () => {
  test('cancel the sessions within, with their name as the reason; held ones and the days around stay', async () => {
    const groupId = await meeting()
    const studentId = await newPupil(institute, groupId)
    const [first] = await on(groupId, '2026-03-20')
    await takeAttendance(app, owner, first.id, { entries: [{ studentId, status: 'present' }] })
    const closed = await owner.post('/closures', EID)
    expect(closed).toMatchObject({
      status: 201,
      body: { ...EID, branchId: null, isBilled: true, cancelledSessions: 2, version: 1 },
    })
    expect(await on(groupId, '2026-03-20')).toMatchObject([{ status: 'held' }])
    for (const day of ['2026-03-21', '2026-03-22']) {
      expect(await on(groupId, day)).toMatchObject([
        { status: 'cancelled', cancelledBy: 'closure', cancelReason: EID.name, closureId: closed.body.id },
      ])
    }
    for (const day of ['2026-03-19', '2026-03-23'])
      expect(await on(groupId, day)).toMatchObject([{ status: 'scheduled' }])
    expect((await eventsOf(app, institute, 'session.cancelled')).map(({ reason }) => reason)).toEqual([
      EID.name,
      EID.name,
    ])
    expect(await auditOf(app, institute, 'closures.create')).toMatchObject([{ entity_id: closed.body.id }])
  })

  test('tell each person once, for all groups and children together', async () => {
    const { groupId, studentId } = await newFamily(institute)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: everyDay })
    const other = await meeting()
    await create(institute, '/enrollments', { studentId, groupId: other })
    await newPupil(institute, other, { email: 'pupil@example.org' })
    await meeting()
    await app.drain()
    app.mails.length = 0
    await owner.post('/closures', EID)
    await app.drain()
    expect(app.mails.map(({ to }) => to).toSorted()).toEqual(
      ['father', 'mother', 'pupil', 'student', 'teacher'].map((who) => `${who}@example.org`),
    )
    for (const { text } of app.mails) expect(text).toContain(EID.name)
  })

  test('that are over are told to nobody', async () => {
    const { groupId } = await newFamily(institute)
    const times = { scheduledStart: '2026-02-20T14:00:00.000Z', scheduledEnd: '2026-02-20T15:00:00.000Z' }
    const sessionId = await newSession(institute, groupId, times)
    await app.drain()
    app.mails.length = 0
    await owner.post('/closures', { name: 'Snow', from: '2026-02-20', to: '2026-02-20' })
    await app.drain()
    expect((await owner.get(`/sessions/${sessionId}`)).body).toMatchObject({
      status: 'cancelled',
      cancelReason: 'Snow',
    })
    expect(app.mails).toEqual([])
  })

  test('let none be made within: by weekly times, by hand, or by moving one there', async () => {
    const closure = (await owner.post('/closures', EID)).body
    const groupId = await meeting()
    for (const day of ['2026-03-20', '2026-03-21', '2026-03-22']) expect(await on(groupId, day)).toEqual([])
    const times = { scheduledStart: '2026-03-21T08:00:00.000Z', scheduledEnd: '2026-03-21T09:00:00.000Z' }
    const refused = { status: 409, body: { error: { details: { reason: 'day_closed', closureId: closure.id } } } }
    expect(await owner.post(`/groups/${groupId}/sessions`, times)).toMatchObject(refused)
    const [session] = await on(groupId, '2026-03-19')
    expect(await owner.patch(`/sessions/${session.id}`, times)).toMatchObject(refused)
    // Opened again, the days have the lessons that they were kept from.
    expect((await owner.delete(`/closures/${closure.id}`)).status).toBe(200)
    for (const day of ['2026-03-20', '2026-03-21', '2026-03-22']) {
      expect(await on(groupId, day)).toMatchObject([{ status: 'scheduled' }])
    }
  })

  test('removed, bring back what they cancelled, and not what somebody had cancelled; people hear once', async () => {
    const { groupId } = await newFamily(institute)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: everyDay })
    const [byHand] = await on(groupId, '2026-03-20')
    const [noted] = await on(groupId, '2026-03-21')
    await owner.patch(`/sessions/${byHand.id}`, { status: 'cancelled', reason: 'Ill' })
    await owner.patch(`/sessions/${noted.id}`, { topic: 'Fractions' })
    const before = await sessionsOf(groupId)
    const { id } = (await owner.post('/closures', EID)).body
    await app.drain()
    app.mails.length = 0
    await owner.delete(`/closures/${id}`)
    const known = (session: Record<string, unknown>) => ({ ...session, updatedAt: null })
    expect((await sessionsOf(groupId)).map(known)).toEqual(before.map(known))
    await app.drain()
    expect(app.mails.filter(({ to }) => to === 'student@example.org')).toHaveLength(1)
    expect(app.mails.find(({ to }) => to === 'student@example.org')?.text).toContain('take place after all')
  })

  test('changed, cancel and bring back what the new days say; a new name stands in the sessions', async () => {
    const groupId = await meeting()
    const { id } = (await owner.post('/closures', EID)).body
    const changed = await owner.patch(`/closures/${id}`, { from: '2026-03-21', to: '2026-03-24', name: 'Eid' })
    expect(changed.body).toMatchObject({ from: '2026-03-21', to: '2026-03-24', cancelledSessions: 4, version: 2 })
    expect(await on(groupId, '2026-03-20')).toMatchObject([
      { status: 'scheduled', cancelReason: null, closureId: null },
    ])
    expect(await on(groupId, '2026-03-24')).toMatchObject([{ status: 'cancelled', cancelReason: 'Eid' }])
    expect(await on(groupId, '2026-03-21')).toMatchObject([{ cancelReason: 'Eid' }])
    expect((await owner.patch(`/closures/${id}`, { isBilled: false, version: 1 })).status).toBe(409)
    expect((await owner.patch(`/closures/${id}`, { isBilled: false, version: 2 })).body.isBilled).toBe(false)
  })

  test('that overlap: what one leaves open, the other keeps closed', async () => {
    const groupId = await meeting()
    const { id } = (await owner.post('/closures', EID)).body
    const other = (await owner.post('/closures', { name: 'Spring', from: '2026-03-22', to: '2026-03-25' })).body
    await owner.delete(`/closures/${id}`)
    expect(await on(groupId, '2026-03-21')).toMatchObject([{ status: 'scheduled' }])
    expect(await on(groupId, '2026-03-22')).toMatchObject([
      { status: 'cancelled', closureId: other.id, cancelReason: 'Spring' },
    ])
  })

  test.each([
    ['the first', [0, 1]],
    ['the second', [1, 0]],
  ])('that overlap bring a lesson back when both are gone, whether %s goes before the other', async (_, order) => {
    const groupId = await meeting()
    const [within] = await on(groupId, '2026-03-22')
    const names = ['Eid', 'Spring']
    const ofBranch = { name: 'Spring', from: '2026-03-22', to: '2026-03-25', branchId: institute.branchId }
    const ids = [
      await create(institute, '/closures', { ...EID, name: 'Eid' }),
      await create(institute, '/closures', ofBranch),
    ]
    const read = async () => (await owner.get(`/sessions/${within.id}`)).body
    expect(await read()).toMatchObject({ status: 'cancelled', closureId: ids[0], cancelReason: 'Eid' })
    const [first, last] = order as [number, number]
    await owner.delete(`/closures/${ids[first]}`)
    expect(await read()).toMatchObject({ status: 'cancelled', closureId: ids[last], cancelReason: names[last] })
    await owner.delete(`/closures/${ids[last]}`)
    expect(await read()).toMatchObject({ status: 'scheduled', closureId: null, cancelReason: null })
    expect(await on(groupId, '2026-03-22')).toHaveLength(1)
  })

  test('that overlap and are changed hold a lesson as long as one of them has its day', async () => {
    const groupId = await meeting()
    const eid = await create(institute, '/closures', EID)
    const spring = await create(institute, '/closures', { name: 'Spring', from: '2026-03-22', to: '2026-03-25' })
    await owner.patch(`/closures/${eid}`, { to: '2026-03-21' })
    expect(await on(groupId, '2026-03-22')).toMatchObject([{ status: 'cancelled', closureId: spring }])
    await owner.patch(`/closures/${spring}`, { from: '2026-03-23' })
    expect(await on(groupId, '2026-03-22')).toMatchObject([{ status: 'scheduled', closureId: null }])
    for (const wrong of [{ from: '2026-03-26' }, { to: '2026-03-22' }]) {
      expect((await owner.patch(`/closures/${spring}`, wrong)).status).toBe(422)
    }
    expect(await on(groupId, '2026-03-24')).toMatchObject([{ status: 'cancelled', closureId: spring }])
  })

  test('of a branch leave the other branches open', async () => {
    const north = await create(institute, '/branches', { name: 'North' })
    const [here, there] = [await meeting(), await meeting({ branchId: north })]
    await owner.post('/closures', { ...EID, branchId: north })
    expect(await on(here, '2026-03-21')).toMatchObject([{ status: 'scheduled' }])
    expect(await on(there, '2026-03-21')).toMatchObject([{ status: 'cancelled' }])
    const listed = async (query: string) => (await owner.get(`/closures?${query}`)).body.data
    expect(await listed(`branchId=${institute.branchId}`)).toEqual([])
    expect(await listed(`branchId=${north}`)).toHaveLength(1)
    expect(await listed('from=2026-03-22&to=2026-03-22')).toHaveLength(1)
    expect(await listed('from=2026-03-23')).toEqual([])
  })

  test('keep the sessions of the weekly times whose slots are gone from coming back', async () => {
    const groupId = await meeting()
    const { id } = (await owner.post('/closures', EID)).body
    await owner.put(`/groups/${groupId}/schedules`, { schedules: everyDay.slice(0, 6) })
    expect(await on(groupId, '2026-03-21')).toEqual([])
    expect(await on(groupId, '2026-03-20')).toMatchObject([{ status: 'cancelled' }])
    await owner.delete(`/closures/${id}`)
    expect(await on(groupId, '2026-03-21')).toEqual([])
    expect(await on(groupId, '2026-03-22')).toMatchObject([{ status: 'scheduled' }])
  })

  test('of many groups are followed in slices, each kept with what goes on', async () => {
    const groups: string[] = []
    for (let made = 0; made < 30; made += 1) groups.push(await meeting())
    const { id, cancelledSessions } = (await owner.post('/closures', { ...EID, to: '2026-03-26' })).body
    expect(cancelledSessions).toBeGreaterThan(0)
    expect(cancelledSessions).toBeLessThan(30 * 7)
    await app.drain()
    expect((await owner.get(`/closures/${id}`)).body.cancelledSessions).toBe(30 * 7)
    await owner.delete(`/closures/${id}`)
    await app.drain()
    for (const groupId of groups) expect(await on(groupId, '2026-03-22')).toMatchObject([{ status: 'scheduled' }])
  })

  test.each([
    ['an end before the beginning', { to: '2026-03-19' }],
    ['more than a year', { to: '2027-04-01' }],
    ['no name', { name: ' ' }],
  ])('%s is 422', async (_, wrong) => {
    expect((await owner.post('/closures', { ...EID, ...wrong })).status).toBe(422)
  })

  test('are seen by who reads groups', async () => {
    const reader = await institute.member({ permissions: ['groups.read'] })
    expect((await reader.post('/closures', EID)).status).toBe(403)
    await owner.post('/closures', EID)
    expect((await reader.get('/closures')).body.data).toHaveLength(1)
  })

  test('of a branch are for who writes its groups; those of all branches, for who writes all groups', async () => {
    const { branchId } = institute
    const north = await create(institute, '/branches', { name: 'North' })
    const manager = await institute.member({ permissions: ['groups.write'], branchId })
    const whole = { status: 403, body: { error: { details: { reason: 'whole_institute_needed' } } } }
    const groupId = await meeting()
    const there = await meeting({ branchId: north })

    expect(await manager.post('/closures', EID)).toMatchObject(whole)
    expect((await manager.post('/closures', { ...EID, branchId: north })).status).toBe(404)
    const own = await manager.post('/closures', { ...EID, branchId })
    expect(own).toMatchObject({ status: 201, body: { branchId, cancelledSessions: 3 } })
    expect(await on(there, '2026-03-21')).toMatchObject([{ status: 'scheduled' }])

    const path = `/closures/${own.body.id}`
    expect(await manager.patch(path, { branchId: null })).toMatchObject(whole)
    expect((await manager.patch(path, { branchId: north })).status).toBe(404)
    expect(await manager.patch(path, { to: '2026-03-21' })).toMatchObject({
      status: 200,
      body: { cancelledSessions: 2 },
    })
    expect((await manager.delete(path)).status).toBe(200)
    expect(await on(groupId, '2026-03-21')).toMatchObject([{ status: 'scheduled' }])

    const everywhere = await create(institute, '/closures', EID)
    const elsewhere = await create(institute, '/closures', { ...EID, branchId: north })
    expect((await manager.get('/closures')).body.data).toHaveLength(2)
    expect(await manager.delete(`/closures/${everywhere}`)).toMatchObject(whole)
    expect(await manager.patch(`/closures/${everywhere}`, { name: 'Ours' })).toMatchObject(whole)
    expect((await manager.delete(`/closures/${elsewhere}`)).status).toBe(404)
    expect((await manager.patch(`/closures/${elsewhere}`, { name: 'Ours' })).status).toBe(404)
  })

  test('that move from one branch to another of a manager of both open the former, whoever teaches there', async () => {
    const north = await create(institute, '/branches', { name: 'North' })
    const manager = await institute.member({ role: 'branch_manager', branchId: institute.branchId })
    const both = [institute.branchId, north].map((branchId) => ({ roleId: institute.roles.branch_manager, branchId }))
    expect((await owner.put(`/members/${manager.membershipId}/roles`, { roles: both })).status).toBe(200)
    const south = await create(institute, '/branches', { name: 'South' })
    const [here, there] = [await meeting(), await meeting({ branchId: north })]
    await meeting({ branchId: south })
    const { id } = (await manager.post('/closures', { ...EID, branchId: institute.branchId })).body
    expect((await manager.patch(`/closures/${id}`, { branchId: north })).status).toBe(200)
    expect(await on(here, '2026-03-21')).toMatchObject([{ status: 'scheduled' }])
    expect(await on(there, '2026-03-21')).toMatchObject([{ status: 'cancelled' }])
  })
})

describe('several holidays at once', () => {
  const NOWRUZ = { name: 'Nowruz', from: '2026-03-25', to: '2026-03-25' }

  test('are closed together, each with its own name, and people get one message that names them all', async () => {
    const { groupId } = await newFamily(institute)
    await owner.put(`/groups/${groupId}/schedules`, { schedules: everyDay })
    await app.drain()
    app.mails.length = 0
    const made = await owner.post('/closures/many', { closures: [NOWRUZ, EID], isBilled: false })
    expect(made).toMatchObject({
      status: 201,
      body: [
        { ...NOWRUZ, isBilled: false, branchId: null, cancelledSessions: 1 },
        { ...EID, isBilled: false, cancelledSessions: 3 },
      ],
    })
    expect(await on(groupId, '2026-03-21')).toMatchObject([{ status: 'cancelled', cancelReason: EID.name }])
    expect(await on(groupId, '2026-03-25')).toMatchObject([{ status: 'cancelled', cancelReason: 'Nowruz' }])
    for (const day of ['2026-03-23', '2026-03-24', '2026-03-26']) {
      expect(await on(groupId, day)).toMatchObject([{ status: 'scheduled' }])
    }
    expect(await auditOf(app, institute, 'closures.create-many')).toHaveLength(2)
    await app.drain()
    expect(app.mails.map(({ to }) => to).toSorted()).toEqual(
      ['father', 'mother', 'student', 'teacher'].map((who) => `${who}@example.org`),
    )
    // In the order of the days, whatever the order of the request.
    for (const { text } of app.mails) expect(text).toMatch(/20.+22.+2026.+عيد الفطر[^]+25.+2026.+Nowruz/u)
  })

  test('are closed all or none, and named by their place in the request', async () => {
    const refused = await owner.post('/closures/many', { closures: [EID, { ...NOWRUZ, to: '2026-03-24' }] })
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { details: { issues: [{ path: ['closures', '1', 'to'] }] } } },
    })
    expect((await owner.post('/closures/many', { closures: [] })).status).toBe(422)
    expect((await owner.get('/closures')).body.data).toEqual([])
  })

  test('of a branch are for its manager', async () => {
    const { branchId } = institute
    const manager = await institute.member({ permissions: ['groups.write'], branchId })
    expect((await manager.post('/closures/many', { closures: [EID, NOWRUZ] })).status).toBe(403)
    expect((await manager.post('/closures/many', { closures: [EID, NOWRUZ], branchId })).status).toBe(201)
    const elsewhere = await create(institute, '/branches', { name: 'North' })
    expect((await manager.post('/closures/many', { closures: [EID], branchId: elsewhere })).status).toBe(404)
  })
})

test('proposals name what a school may close on, and which of it is closed already', async () => {
  const { id } = (await owner.post('/closures', EID)).body
  const { status, body } = await owner.get('/closures/proposals?year=2026')
  expect(status).toBe(200)
  const of = (key: string) => body.find((holiday: { key: string }) => holiday.key === key)
  expect(of('eid_al_fitr')).toEqual({
    key: 'eid_al_fitr',
    calendar: 'muslim',
    name: { ar: 'عيد الفطر', en: 'Eid al-Fitr', he: 'עיד אל־פיטר' },
    from: '2026-03-20',
    to: '2026-03-22',
    isUpToTheMoon: true,
    closureId: id,
  })
  expect(of('pesach')).toMatchObject({ from: '2026-04-02', isUpToTheMoon: false, closureId: null })
  expect(of('western_easter')).toMatchObject({ calendar: 'western' })
  expect(of('eastern_easter')).toMatchObject({ calendar: 'eastern' })
  expect(of('independence_day_il')).toMatchObject({ calendar: 'country' })
  expect((await owner.get('/closures/proposals?year=1999')).status).toBe(422)
  expect((await owner.get('/closures/proposals')).body.length).toBe(body.length)
})
