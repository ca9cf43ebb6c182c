import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#kit/app.ts'
import type { Client } from '#kit/client.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { eventsOf } from '#kit/records.ts'
import { newFeeSchedule } from '../examples/fees.ts'
import { newCourseOf, newGrant, newLearner, newVideoCourse } from '../examples/curriculum.ts'

/** A grant is pending while an unpaid invoice line carries it. */

let app: TestApp
let institute: TestInstitute
let owner: Client
let account: { app: TestApp; institute: TestInstitute }

beforeAll(async () => {
  app = await startApp()
  institute = await makeInstitute(app)
  owner = institute.owner
  account = { app, institute }
})
afterAll(() => app.close())

const TOTAL = 20_000

const draft = async (studentId: string, courseEnrollmentId: string): Promise<string> => {
  const lines = [{ description: 'Grammar', unitAmountMinor: TOTAL, courseEnrollmentId }]
  const { status, body } = await owner.post('/invoices', { studentId, lines, dueDate: '2026-03-20' })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
const issue = (id: string) => owner.post(`/invoices/${id}/issue`)
const pay = async (id: string, amountMinor = TOTAL): Promise<string> =>
  (await owner.post(`/invoices/${id}/payments`, { amountMinor, currency: 'ILS', method: 'cash' })).body.id
const reverse = (paymentId: string) => owner.post(`/payments/${paymentId}/reverse`, { reason: 'Bounced' })
const cancel = (id: string) => owner.post(`/invoices/${id}/void`, { reason: 'Entered twice' })
const complete = (client: Client, lessonId: string) => client.post(`/me/lessons/${lessonId}/complete`)
const statusOf = async (courseId: string): Promise<string> =>
  (await owner.get(`/courses/${courseId}/enrollments`)).body.data[0].status

describe('a grant', () => {
  test('is pending from the draft until the invoice is paid, and everybody sees it', async () => {
    const { courseId, studentId, grantId, member } = await newCourseOf(account)
    const everywhere = async () => [
      await statusOf(courseId),
      (await owner.get(`/courses/${courseId}/progress`)).body.data[0].status,
      (await member.get('/me/courses')).body.data[0].status,
      (await member.get(`/me/courses/${courseId}`)).body.status,
    ]
    const all = (status: string) => [status, status, status, status]
    expect(await everywhere()).toEqual(all('active'))
    const invoiceId = await draft(studentId, grantId)
    expect((await owner.get(`/invoices/${invoiceId}`)).body.lines[0].courseEnrollmentId).toBe(grantId)
    expect(await everywhere()).toEqual(all('pending'))
    await issue(invoiceId)
    await pay(invoiceId, TOTAL - 1)
    expect(await everywhere()).toEqual(all('pending'))
    const last = await pay(invoiceId, 1)
    expect(await everywhere()).toEqual(all('active'))
    await reverse(last)
    expect(await everywhere()).toEqual(all('pending'))
  })

  test('is active again once the invoice is void, unless another line carries it', async () => {
    const { courseId, studentId, grantId } = await newCourseOf(account)
    const [first, second] = [await draft(studentId, grantId), await draft(studentId, grantId)]
    await cancel(first)
    expect(await statusOf(courseId)).toBe('pending')
    await issue(second)
    await cancel(second)
    expect(await statusOf(courseId)).toBe('active')
  })

  test('of an overdue invoice is pending; lines that carry another grant, or none, change nothing', async () => {
    const { courseId, studentId, grantId } = await newCourseOf(account)
    const other = await newGrant(institute, await newVideoCourse(institute), studentId)
    const plain = [{ description: 'Books', unitAmountMinor: 100 }]
    await owner.post('/invoices', { studentId, lines: plain, dueDate: '2026-03-20' })
    await draft(studentId, other)
    expect(await statusOf(courseId)).toBe('active')
    const invoiceId = await draft(studentId, grantId)
    await issue(invoiceId)
    await app.app.database.write((db) =>
      db.updateTable('invoice').set({ status: 'overdue' }).where('id', '=', invoiceId).execute(),
    )
    expect(await statusOf(courseId)).toBe('pending')
  })

  test('is listed by the status that it has', async () => {
    const { courseId, studentId, grantId } = await newCourseOf(account)
    const paid = await newGrant(institute, courseId)
    const dropped = await newGrant(institute, courseId)
    await owner.delete(`/course-enrollments/${dropped}`)
    await draft(studentId, grantId)
    const idsOf = async (status: string) =>
      (await owner.get(`/courses/${courseId}/enrollments?status=${status}`)).body.data.map(
        ({ id, status: shown }: { id: string; status: string }) => `${id} ${shown}`,
      )
    expect(await idsOf('pending')).toEqual([`${grantId} pending`])
    expect(await idsOf('active')).toEqual([`${paid} active`])
    expect(await idsOf('dropped')).toEqual([`${dropped} dropped`])
    expect(await idsOf('completed')).toEqual([])
  })

  test('that is given again while an old line is unpaid is pending at once, and a second time too', async () => {
    const { courseId, studentId, grantId } = await newCourseOf(account)
    await draft(studentId, grantId)
    expect((await owner.post(`/courses/${courseId}/enrollments`, { studentId })).body.status).toBe('pending')
    await owner.delete(`/course-enrollments/${grantId}`)
    expect(await statusOf(courseId)).toBe('dropped')
    expect((await owner.post(`/courses/${courseId}/enrollments`, { studentId })).body.status).toBe('pending')
    const events = await eventsOf(app, institute, 'course_enrollment.created')
    const statuses = events.filter(({ courseEnrollmentId }) => courseEnrollmentId === grantId).map((one) => one.status)
    expect(statuses).toEqual(['active', 'pending'])
  })

  test('that was completed stays so', async () => {
    const { courseId, studentId, grantId, member, lessonIds } = await newCourseOf(account)
    await complete(member, lessonIds[0])
    await draft(studentId, grantId)
    expect(await statusOf(courseId)).toBe('completed')
    expect((await member.get(`/me/courses/${courseId}`)).body.sections[0].lessons[0].isOpen).toBe(true)
  })

  test('is carried by lines of its own student only (404)', async () => {
    const { grantId } = await newCourseOf(account)
    const lines = [{ description: 'Grammar', unitAmountMinor: TOTAL, courseEnrollmentId: grantId }]
    const invoice = { studentId: await newLearner(institute), lines, dueDate: '2026-03-20' }
    expect((await owner.post('/invoices', invoice)).status).toBe(404)
  })
})

describe('while a grant is pending', () => {
  test('its lessons are closed, but for previews', async () => {
    const { courseId, studentId, grantId, member, lessonIds } = await newCourseOf(account, 2)
    const [closed, preview] = lessonIds as unknown as [string, string]
    for (const id of [closed, preview]) {
      await owner.patch(`/lessons/${id}`, { body: 'Read this.', description: 'Of verbs', isPreview: id === preview })
      await owner.put(`/lessons/${id}/video`, { url: 'https://youtu.be/dQw4w9WgXcQ' })
    }
    const lessons = async () => (await member.get(`/me/courses/${courseId}`)).body.sections[0].lessons
    const open = { isOpen: true, body: 'Read this.', video: { videoId: 'dQw4w9WgXcQ' } }
    expect(await lessons()).toMatchObject([open, open])
    const invoiceId = await draft(studentId, grantId)
    expect(await lessons()).toMatchObject([
      { id: closed, isOpen: false, body: null, video: null, description: 'Of verbs', title: 'Lesson 1' },
      { id: preview, ...open },
    ])

    const refused = await complete(member, closed)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await complete(member, preview)).body).toMatchObject({ status: 'pending', completedCount: 1 })
    await issue(invoiceId)
    await pay(invoiceId)
    expect((await complete(member, closed)).body).toMatchObject({ status: 'completed', completedCount: 2 })
  })

  test('nothing completes the course; what was completed before stays, and completes it once it is paid', async () => {
    const { courseId, studentId, grantId, member, lessonIds } = await newCourseOf(account, 2)
    const [one, two] = lessonIds as unknown as [string, string]
    await complete(member, one)
    const invoiceId = await draft(studentId, grantId)
    await owner.post(`/lessons/${two}/unpublish`)
    expect((await complete(member, one)).body).toMatchObject({ status: 'pending', lessonCount: 1, completedCount: 1 })
    await issue(invoiceId)
    await pay(invoiceId)
    expect(await statusOf(courseId)).toBe('active')
    expect((await complete(member, one)).body.status).toBe('completed')
  })
})

describe('a billing run with a fee per course', () => {
  test('charges who has the course and did not complete it, and their grants are pending until that is paid', async () => {
    const { courseId, studentId, grantId } = await newCourseOf(account, 2)
    const north = (await owner.post('/branches', { name: 'North' })).body.id
    const elsewhere = await newLearner({ owner, branchId: north })
    await newGrant(institute, courseId, elsewhere)
    const dropped = await newGrant(institute, courseId)
    await owner.delete(`/course-enrollments/${dropped}`)
    const finished = await newCourseOf(account)
    await complete(finished.member, finished.lessonIds[0])
    const feeScheduleIds = [
      await newFeeSchedule(institute, { kind: 'per_course', courseId, amountMinor: TOTAL }),
      await newFeeSchedule(institute, { kind: 'per_course', courseId: finished.courseId }),
    ]
    const run = { month: '2026-03', feeScheduleIds, branchId: institute.branchId }
    const { invoices } = (await owner.post('/billing/runs', run)).body
    expect(invoices.map((one: { studentId: string }) => one.studentId)).toEqual([studentId])
    const [{ id }] = invoices
    expect((await owner.get(`/invoices/${id}`)).body.lines).toMatchObject([{ courseEnrollmentId: grantId }])
    const statuses = async () =>
      (await owner.get(`/courses/${courseId}/enrollments`)).body.data.map(({ status }: { status: string }) => status)
    expect(await statuses()).toEqual(['dropped', 'active', 'pending'])
    await issue(id)
    await pay(id)
    expect(await statuses()).toEqual(['dropped', 'active', 'active'])
    expect((await owner.post('/billing/runs', run)).body.created).toBe(0)
  })
})

test('whatever becomes of its invoices, a grant is pending exactly while one is neither paid nor void', async () => {
  const step = fc.tuple(fc.constantFrom('draft', 'issue', 'part', 'pay', 'reverse', 'void'), fc.nat(100))
  const { courseId, studentId, grantId } = await newCourseOf(account)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const invoices: { id: string; payments: string[] }[] = []
      for (const [what, n] of steps) {
        const invoice = invoices[n % invoices.length]
        if (what === 'draft') invoices.push({ id: await draft(studentId, grantId), payments: [] })
        else if (!invoice) continue
        else if (what === 'issue') await issue(invoice.id)
        else if (what === 'void') await cancel(invoice.id)
        else if (what === 'reverse') {
          const paymentId = invoice.payments.pop()
          if (paymentId) await reverse(paymentId)
        } else {
          const { balance } = (await owner.get(`/invoices/${invoice.id}`)).body
          const paymentId = await pay(invoice.id, what === 'pay' ? balance.amountMinor : 1)
          if (paymentId) invoice.payments.push(paymentId)
        }
        const states = await Promise.all(
          invoices.map(async ({ id }) => (await owner.get(`/invoices/${id}`)).body.status),
        )
        const isPending = states.some((status) => status !== 'paid' && status !== 'void')
        expect(await statusOf(courseId)).toBe(isPending ? 'pending' : 'active')
      }
      for (const { id, payments } of invoices) {
        for (const paymentId of payments) await reverse(paymentId)
        await cancel(id)
      }
      expect(await statusOf(courseId)).toBe('active')
    }),
    { numRuns: 15 },
  )
}, 120_000)
