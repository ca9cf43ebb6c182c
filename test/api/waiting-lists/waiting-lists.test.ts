import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepOffersJob } from '#modules/waiting-lists/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { auditOf } from '#kit/records.ts'
import { LONG_TOKENS } from '#kit/take-attendance.ts'
import { create, newGroup } from '../examples/sessions.ts'

let app: TestApp
let institute: TestInstitute
let owner: Client
let groupId: string
/** Of the student who has the only place. */
let enrollmentId: string

beforeAll(async () => {
  app = await startApp({ config: LONG_TOKENS })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Monday, ten in the morning in Jerusalem.
  app.clock.set('2026-03-02T08:00:00.000Z')
  institute = await makeInstitute(app)
  owner = institute.owner
  groupId = await newGroup(institute, { capacity: 1, name: 'Chess' })
  enrollmentId = await create(institute, '/enrollments', { studentId: await newStudent(), groupId })
})

let made = 0
const newStudent = (): Promise<string> =>
  create(institute, '/students', { branchId: institute.branchId, firstName: 'Pupil', lastName: `Nr ${(made += 1)}` })
const join = (studentId: string, more: Record<string, unknown> = {}) =>
  owner.post(`/groups/${groupId}/waiting`, { studentId, ...more })
const waiting = async (): Promise<string> => (await join(await newStudent())).body.id
const list = async () => (await owner.get(`/groups/${groupId}/waiting`)).body.data
const free = () => owner.post(`/enrollments/${enrollmentId}/drop`, {})
const conflict = (reason: string, details: Record<string, unknown> = {}) => ({
  status: 409,
  body: { error: { details: { reason, ...details } } },
})
const sweep = async (): Promise<void> => {
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.system().enqueue(sweepOffersJob, {})
  })
  await app.drain()
}
const freePlaces = async () => (await owner.get('/dashboard/attention')).body.freePlaces

describe('the list of a full group', () => {
  test('has who waits in the order in which they came, with a note, and lets them leave', async () => {
    const studentId = await newStudent()
    expect(await join(studentId, { note: 'Mondays only' })).toMatchObject({
      status: 201,
      body: { groupId, studentId, note: 'Mondays only', position: 1, status: 'waiting', offerEndsAt: null },
    })
    const second = await waiting()
    expect(await list()).toMatchObject([{ studentId, studentName: expect.stringContaining('Pupil') }, { id: second }])
    expect((await owner.delete(`/waiting/${second}`)).status).toBe(200)
    expect(await list()).toHaveLength(1)
  })

  test('takes nobody for whom there is a place, who is in the group, waits already, cannot learn or is not there', async () => {
    const studentId = await newStudent()
    await join(studentId)
    expect(await join(studentId)).toMatchObject(conflict('already_waiting'))
    const { studentId: inIt } = (await owner.get(`/enrollments/${enrollmentId}`)).body
    expect(await join(inIt)).toMatchObject(conflict('already_enrolled'))
    const gone = await newStudent()
    await owner.post(`/students/${gone}/status`, { status: 'withdrawn' })
    expect(await join(gone)).toMatchObject(conflict('cannot_enroll'))
    expect((await join('01890a5d-ac96-774b-bcce-b302099a8057')).status).toBe(404)
    await free()
    expect(await join(await newStudent())).toMatchObject(conflict('group_not_full'))
  })

  test('is ordered anew by whoever may write groups, naming all who wait', async () => {
    const [one, two, three] = [await waiting(), await waiting(), await waiting()]
    const order = (entryIds: string[]) => owner.put(`/groups/${groupId}/waiting/order`, { entryIds })
    expect((await order([three, one, two])).status).toBe(200)
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([three, one, two])
    expect(await auditOf(app, institute, 'waiting-lists.order')).toMatchObject([
      { before: { waiting: [one, two, three] }, after: { waiting: [three, one, two] } },
    ])
    const other = await newGroup(institute, { capacity: 1 })
    await create(institute, '/enrollments', { studentId: await newStudent(), groupId: other })
    const elsewhere = await create(institute, `/groups/${other}/waiting`, { studentId: await newStudent() })
    for (const wrong of [
      [one, two],
      [one, two, two],
      [one, two, three, elsewhere],
    ]) {
      expect(await order(wrong)).toMatchObject(conflict('order_outdated'))
    }
    expect((await order([one, two, three, groupId])).status).toBe(404)
  })
})

describe('a place that became free', () => {
  test('is told to the desk, offered, kept from others, and accepted: the student is enrolled and waits no more', async () => {
    const [first, second] = [await waiting(), await waiting()]
    const { studentId } = (await list())[0]
    await newParent(institute, studentId, { email: 'mother@example.org', preferredLocale: 'en' })
    expect(await owner.post(`/waiting/${first}/offer`)).toMatchObject(conflict('group_full'))
    expect(await owner.post(`/waiting/${first}/accept`)).toMatchObject(conflict('no_place_offered'))
    expect(await freePlaces()).toEqual([])
    await free()
    expect(await freePlaces()).toEqual([{ groupId, groupName: 'Chess', free: 1, waiting: 2 }])
    await app.drain()
    app.mails.length = 0
    // To the end of Thursday in Jerusalem.
    expect(await owner.post(`/waiting/${first}/offer`)).toMatchObject({
      status: 200,
      body: { status: 'offered', offerEndsAt: '2026-03-05T22:00:00.000Z' },
    })
    expect(await freePlaces()).toEqual([])
    await app.drain()
    expect(app.mails).toMatchObject([{ to: 'mother@example.org' }])
    expect(app.mails[0]?.text).toContain('Thursday, 5 March 2026')
    expect(await owner.post(`/waiting/${first}/offer`)).toMatchObject(conflict('already_offered'))
    const full = conflict('group_full', { capacity: 1, enrolled: 0, offered: 1 })
    expect(await owner.post(`/waiting/${second}/offer`)).toMatchObject(full)
    expect(await owner.post('/enrollments', { studentId: await newStudent(), groupId })).toMatchObject(full)
    expect(await owner.post(`/waiting/${first}/accept`)).toMatchObject({
      status: 201,
      body: { studentId, groupId, status: 'active' },
    })
    expect(await list()).toMatchObject([{ id: second }])
  })

  test('goes to the next where it is declined, or the offer runs out; nobody is enrolled silently', async () => {
    await owner.patch('/settings', { offerDays: 1 })
    const [first, second, third] = [await waiting(), await waiting(), await waiting()]
    await free()
    await owner.post(`/waiting/${first}/offer`)
    expect((await owner.post(`/waiting/${first}/decline`)).status).toBe(200)
    expect(await owner.post(`/waiting/${second}/decline`)).toMatchObject(conflict('no_place_offered'))
    expect(await list()).toMatchObject([{ id: second }, { id: third }])
    await owner.post(`/waiting/${second}/offer`)
    app.clock.set('2026-03-03T21:59:00.000Z')
    await sweep()
    expect(await list()).toMatchObject([{ id: second, status: 'offered' }, { id: third }])
    app.clock.set('2026-03-03T22:00:00.000Z')
    await sweep()
    expect(await list()).toMatchObject([
      { id: second, status: 'lapsed', offerEndsAt: null },
      { id: third, status: 'waiting' },
    ])
    expect(await freePlaces()).toMatchObject([{ free: 1, waiting: 1 }])
    expect((await owner.get(`/groups/${groupId}`)).body.enrolledCount).toBe(0)
    // One that ran out can be offered again.
    expect((await owner.post(`/waiting/${second}/offer`)).body).toMatchObject({ status: 'offered' })
  })

  test('is neither offered to nor accepted by who has withdrawn, nor accepted where the group has become smaller', async () => {
    const entryId = await waiting()
    const { studentId } = (await list())[0]
    await owner.patch(`/groups/${groupId}`, { capacity: 2 })
    await owner.post(`/waiting/${entryId}/offer`)
    await owner.patch(`/groups/${groupId}`, { capacity: 1 })
    expect(await owner.post(`/waiting/${entryId}/accept`)).toMatchObject(conflict('group_full'))
    await owner.post(`/students/${studentId}/status`, { status: 'withdrawn' })
    expect(await owner.post(`/waiting/${entryId}/accept`)).toMatchObject(conflict('cannot_enroll'))
    await owner.patch(`/groups/${groupId}`, { capacity: 3 })
    app.clock.set('2026-03-06T08:00:00.000Z')
    await sweep()
    expect(await owner.post(`/waiting/${entryId}/offer`)).toMatchObject(conflict('cannot_enroll'))
  })

  test('is offered once, however many offer it at once', async () => {
    const entries = [await waiting(), await waiting()]
    await free()
    const replies = await Promise.all(entries.map((id) => owner.post(`/waiting/${id}/offer`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('who is enrolled another way leaves the list', async () => {
    const entryId = await waiting()
    const { studentId } = (await list())[0]
    await free()
    await create(institute, '/enrollments', { studentId, groupId })
    expect(await list()).toEqual([])
    expect((await owner.delete(`/waiting/${entryId}`)).status).toBe(404)
  })
})
