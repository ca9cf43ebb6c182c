import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '#kit/client.ts'
import { worldOf } from '#kit/examples.ts'
import { newFamily, newParent, type TestFamily } from '#kit/family.ts'
import { linkAccount } from '#kit/link-account.ts'
import { useMailApp } from '#kit/mail-app.ts'
import { pdf } from '#kit/paper.ts'
import { issuedInvoice } from '../examples/billing.ts'
import { newGrant, newPublished } from '../examples/curriculum.ts'
import { newExam } from '../examples/exams.ts'
import { newReport } from '../examples/progress-reports.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

/** Parents who live apart: what one guardian sees and hears of, and another does not. */

const at = useMailApp()

let owner: Client
let family: TestFamily
let father: Client

beforeEach(async () => {
  await at.fresh({ features: { basic_reports: true } })
  owner = at.institute.owner
  family = await newFamily(at.institute)
  const member = await at.institute.member({ role: 'guardian' })
  await linkAccount(at.app, 'guardian', { id: family.fatherId, userId: member.userId })
  father = member
})

const see = (guardianId: string, sight: Record<string, unknown>) =>
  owner.patch(`/students/${family.studentId}/guardians/${guardianId}`, sight)

const statusOf = async (path: string): Promise<number> => (await pdf(at.app, father, path)).status

const conflict = (reason: string) => ({ status: 409, body: { error: { code: 'CONFLICT', details: { reason } } } })

test('every guardian sees both at first, and the link says what was changed', async () => {
  const { data } = (await owner.get(`/students/${family.studentId}/guardians`)).body
  expect(data).toHaveLength(3)
  for (const link of data) expect(link).toMatchObject({ seesLearning: true, seesMoney: true })
  expect((await see(family.fatherId, { seesMoney: false })).body).toMatchObject({
    seesLearning: true,
    seesMoney: false,
  })
  const other = await newParent(at.institute, family.studentId, {}, { seesLearning: false })
  const after = (await owner.get(`/students/${family.studentId}/guardians`)).body.data
  const linkOf = (id: string) => after.find(({ guardianId }: { guardianId: string }) => guardianId === id)
  expect(linkOf(other)).toMatchObject({ seesLearning: false, seesMoney: true })
  expect(linkOf(family.fatherId)).toMatchObject({ seesLearning: true, seesMoney: false })
  const { children } = (await owner.get(`/guardians/${family.fatherId}/family-summary`)).body
  expect(children).toMatchObject([{ seesLearning: true, seesMoney: false }])
})

describe('a guardian who does not see the lessons', () => {
  beforeEach(async () => {
    await see(family.fatherId, { seesLearning: false })
  })

  test('finds the money of the child, and nothing else', async () => {
    const { studentId, groupId } = family
    const sessionId = await newSession(at.institute, groupId)
    await owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })
    const report = await newReport(at.institute, { studentId })
    expect((await owner.post(`/progress-reports/${report}/send`)).status).toBe(200)
    const nothing = { groups: [], attendanceRate30d: null, reports: [], seesLearning: false, seesMoney: true }
    const { people } = (await father.get('/me/family')).body
    expect(people).toMatchObject([{ studentId, ...nothing, today: [], nextSession: null, absence: null }])
    expect(people[0].balance).toEqual({ amountMinor: 0, currency: 'ILS' })
    expect((await father.get(`/me/students/${studentId}`)).body).toMatchObject({ ...nothing, results: [], courses: [] })
    const { courseId } = await newPublished(at.institute)
    await newGrant(at.institute, courseId, studentId)
    expect((await father.get(`/me/students/${studentId}/courses/${courseId}`)).status).toBe(404)
    expect((await father.get('/me/schedule?from=2026-03-01&to=2026-03-31')).body).toEqual([])
    expect((await father.get(`/me/attendance?studentId=${studentId}`)).status).toBe(404)
    expect((await father.get(`/files/of/student/${studentId}`)).status).not.toBe(200)
    expect((await father.get(`/me/students/${studentId}/money`)).status).toBe(200)
    expect(await statusOf(`/progress-reports/${report}/pdf`)).toBe(404)
    expect(await statusOf(`/students/${studentId}/statement/pdf`)).toBe(200)
    const wedding = { from: '2026-03-09', to: '2026-03-10', reason: 'A wedding' }
    expect((await father.post(`/students/${studentId}/absences`, wedding)).status).toBe(403)
  })

  test('is told of no absence, no result, no report and no cancelled lesson, while the others are', async () => {
    const { studentId, groupId } = family
    const toldBy = async (work: () => Promise<unknown>): Promise<string[]> => {
      await at.app.drain()
      at.mails.length = 0
      await work()
      await at.app.drain()
      return at.mails
        .map(({ to }) => to)
        .filter((to) => to !== 'teacher@example.org')
        .toSorted()
    }
    const sessionId = await newSession(at.institute, groupId)
    const entries = [{ studentId, status: 'absent' }]
    expect(await toldBy(() => owner.put(`/sessions/${sessionId}/attendance`, { entries }))).toEqual([
      'mother@example.org',
    ])
    const both = ['mother@example.org', 'student@example.org']
    const examId = await newExam(at.institute, groupId)
    await owner.put(`/exams/${examId}/results`, { results: [{ studentId, score: 1 }] })
    expect(await toldBy(() => owner.post(`/exams/${examId}/publish`))).toEqual(both)
    const report = await newReport(at.institute, { studentId })
    expect(await toldBy(() => owner.post(`/progress-reports/${report}/send`))).toEqual(both)
    const later = await newSession(at.institute, groupId, {
      scheduledStart: '2026-03-09T14:00:00.000Z',
      scheduledEnd: '2026-03-09T15:00:00.000Z',
    })
    const cancel = { status: 'cancelled', reason: 'The teacher is ill' }
    expect(await toldBy(() => owner.patch(`/sessions/${later}`, cancel))).toEqual(both)
    const holiday = { name: 'Holiday', from: '2026-03-16', to: '2026-03-16' }
    await newSession(at.institute, groupId, {
      scheduledStart: '2026-03-16T14:00:00.000Z',
      scheduledEnd: '2026-03-16T15:00:00.000Z',
    })
    expect(await toldBy(() => owner.post('/closures', holiday))).toEqual(both)
    expect((await see(family.fatherId, { seesLearning: true })).status).toBe(200)
    const again = await newSession(at.institute, groupId)
    const told = await toldBy(() => owner.put(`/sessions/${again}/attendance`, { entries }))
    expect(told).toHaveLength(2)
  })
})

describe('a guardian who does not see the money', () => {
  test('finds the lessons of the child, and no sum', async () => {
    const { studentId } = family
    const invoice = await issuedInvoice(worldOf(at.app, at.institute), { studentId })
    expect((await see(family.fatherId, { seesMoney: false })).status).toBe(200)
    const { people } = (await father.get('/me/family')).body
    expect(people).toMatchObject([{ studentId, seesLearning: true, seesMoney: false, balance: null, openInvoices: [] }])
    expect(JSON.stringify(people)).not.toContain(invoice.number)
    expect((await father.get(`/me/students/${studentId}`)).status).toBe(200)
    expect((await father.get(`/me/students/${studentId}/money`)).status).toBe(404)
    expect(await statusOf(`/students/${studentId}/statement/pdf`)).toBe(404)
    expect(await statusOf(`/invoices/${invoice.id}/pdf`)).toBe(404)
    expect((await father.post(`/invoices/${invoice.id}/pay`)).status).toBe(403)
    // Nobody makes them the payer of one invoice by the way.
    const moved = await owner.post(`/invoices/${invoice.id}/payer`, { guardianId: family.fatherId })
    expect(moved).toMatchObject({ status: 422, body: { error: { details: { issues: [{ path: ['guardianId'] }] } } } })
  })

  test('whoever pays sees the money: it is refused of the payer, and comes back with the mark', async () => {
    expect(await see(family.motherId, { seesMoney: false })).toMatchObject(conflict('payer_sees_money'))
    expect(await see(family.fatherId, { isPayer: true, seesMoney: false })).toMatchObject(conflict('payer_sees_money'))
    expect((await see(family.fatherId, { seesMoney: false })).body).toMatchObject({ isPayer: false, seesMoney: false })
    expect((await see(family.fatherId, { isPayer: true })).body).toMatchObject({ isPayer: true, seesMoney: true })
    // The mother is not the payer any more.
    expect((await see(family.motherId, { seesMoney: false })).body).toMatchObject({ isPayer: false, seesMoney: false })
    const guardianId = (await owner.post('/guardians', { firstName: 'A', lastName: 'B', phone: '+972501112233' })).body
      .id
    const link = { guardianId, relationship: 'other', isPrimary: false, isPayer: true, seesMoney: false }
    expect(await owner.post(`/students/${family.studentId}/guardians`, link)).toMatchObject(
      conflict('payer_sees_money'),
    )
  })
})

test('who sees neither has nothing of the child, and keeps what is theirs of another', async () => {
  const other = await newPupil(at.institute, await newGroup(at.institute), { firstName: 'Adam' })
  const link = { guardianId: family.fatherId, relationship: 'father', isPrimary: false, isPayer: false }
  expect((await owner.post(`/students/${other}/guardians`, link)).status).toBe(201)
  expect((await see(family.fatherId, { seesLearning: false, seesMoney: false })).status).toBe(200)
  expect((await father.get('/me/family')).body.people).toMatchObject([{ studentId: other }])
  expect((await father.get(`/me/students/${family.studentId}`)).status).toBe(404)
  expect((await father.get(`/me/students/${other}`)).status).toBe(200)
})

test('of two records that become one, the stricter link stays, and whoever pays sees the money', async () => {
  const twin = await newParent(
    at.institute,
    family.studentId,
    { firstName: 'Sami', lastName: 'Haddad' },
    { seesLearning: false, seesMoney: false },
  )
  const merged = await owner.post(`/guardians/${family.fatherId}/merge`, { otherId: twin })
  expect(merged.status, JSON.stringify(merged.body)).toBe(200)
  const mother = await newParent(
    at.institute,
    family.studentId,
    { firstName: 'Hala' },
    { seesLearning: false, seesMoney: false },
  )
  expect((await owner.post(`/guardians/${family.motherId}/merge`, { otherId: mother })).status).toBe(200)
  const { data } = (await owner.get(`/students/${family.studentId}/guardians`)).body
  const linkOf = (id: string) => data.find(({ guardianId }: { guardianId: string }) => guardianId === id)
  expect(linkOf(family.fatherId)).toMatchObject({ seesLearning: false, seesMoney: false })
  expect(linkOf(family.motherId)).toMatchObject({ isPayer: true, seesLearning: false, seesMoney: true })
})
