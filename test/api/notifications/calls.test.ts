import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepNotificationsJob } from '#modules/notifications/outbox/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { newPhone, newStudent } from '../examples/people.ts'
import { newGroup, newPupil, newSession } from '../examples/sessions.ts'

/** Families who have phones only are told by somebody of the office, one of them each. */

let app: TestApp
let institute: TestInstitute

beforeAll(async () => {
  app = await startApp({ config: { accessTokenSeconds: 100 * 86_400 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  institute = await makeInstitute(app)
})

const world = () => ({ app, institute, owner: institute.owner, branchId: institute.branchId, serial: '1' }) as never

const parentOf = (studentId: string, more: object = {}, link: Record<string, unknown> = {}): Promise<string> =>
  newParent(institute, studentId, { firstName: 'Rana', lastName: 'Haddad', phone: newPhone(), ...more }, link)

const calls = async (query = '?status=open') => (await institute.owner.get(`/notifications/calls${query}`)).body.data

const told = (by: { post: TestInstitute['owner']['post'] }, id: string, how: string) =>
  by.post(`/notifications/calls/${id}/told`, { how })

const trip = { templateKey: 'message', channels: ['email', 'in_app'], data: { title: 'Trip', message: 'On Sunday.' } }

describe('a message to families', () => {
  test('who have phones only stands on the list to call, in their language and with the phone of now', async () => {
    const studentId = await newStudent(world())
    const guardianId = await parentOf(studentId, { preferredLocale: 'ar' })
    const message = { ...trip, recipients: { guardianIds: [guardianId] } }
    const asked = await institute.owner.post('/notifications/send', { ...message, dryRun: true })
    expect(asked.body).toMatchObject({ queued: 0, called: 0, unreached: [{ because: 'no_address', canCall: true }] })
    expect((await institute.owner.post('/notifications/send', message)).status).toBe(409)
    const sent = await institute.owner.post('/notifications/send', { ...message, toCall: true })
    expect(sent).toMatchObject({ status: 202, body: { queued: 0, called: 1 } })
    await app.drain()
    await institute.owner.patch(`/guardians/${guardianId}`, { phone: '+972501112233' })
    expect(await calls(`?sourceId=${sent.body.batchId}`)).toMatchObject([
      {
        recipient: { id: guardianId, kind: 'guardian' },
        phone: '+972501112233',
        locale: 'ar',
        title: expect.stringContaining('Trip'),
      },
    ])
    expect((await calls())[0].body).toContain('On Sunday.')
  })

  test('calls nobody whom it reaches, or who has no phone', async () => {
    const studentId = await newStudent(world())
    const reached = await parentOf(studentId, { email: 'rana@example.org' })
    const recipients = { guardianIds: [reached], studentIds: [studentId] }
    const sent = await institute.owner.post('/notifications/send', { ...trip, recipients, toCall: true })
    expect(sent.body).toMatchObject({ queued: 1, called: 0, unreached: [{ canCall: false }] })
    await app.drain()
    expect(await calls()).toEqual([])
  })

  test('that reaches nobody who has a phone is refused as before', async () => {
    const message = { ...trip, recipients: { studentIds: [await newStudent(world())] }, toCall: true }
    const { status, body } = await institute.owner.post('/notifications/send', message)
    expect([status, body.error.details]).toMatchObject([409, { reason: 'nobody_reached', canCall: false }])
  })
})

test('a child is told through a guardian: of a lesson that is cancelled the guardian is called, once', async () => {
  const groupId = await newGroup(world())
  const studentId = await newPupil(world(), groupId, { phone: newPhone() })
  const guardianId = await parentOf(studentId)
  const sessionId = await newSession(institute, groupId)
  await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Rain' })
  await app.drain()
  expect(await calls()).toMatchObject([{ templateKey: 'session.cancelled', recipient: { id: guardianId } }])
  expect((await institute.owner.get('/dashboard/attention')).body.callsToMake).toBe(1)
})

test('a reminder of a payer with a phone only is refused, and put on the list where that is asked', async () => {
  const studentId = await newStudent(world())
  const guardianId = await parentOf(studentId, {}, { isPayer: true })
  const lines = [{ description: 'March', unitAmountMinor: 45_000 }]
  const { id } = (await institute.owner.post('/invoices', { studentId, lines })).body
  expect((await institute.owner.post(`/invoices/${id}/issue`)).body.unreached).toMatchObject({ canCall: true })
  const refused = await institute.owner.post('/invoices/remind', { ids: [id] })
  expect(refused.body).toMatchObject({ done: [], refused: [{ id, reason: 'nobody_reached' }] })
  const asked = await institute.owner.post('/invoices/remind', { ids: [id], toCall: true })
  expect(asked.body).toEqual({ done: [id], refused: [], unreached: [] })
  await app.drain()
  // Both are made by jobs, in either order.
  const listed = (await calls()).toSorted((one: { templateKey: string }, other: { templateKey: string }) =>
    one.templateKey.localeCompare(other.templateKey),
  )
  expect(listed).toMatchObject([
    { templateKey: 'invoice.issued', recipient: { id: guardianId } },
    { templateKey: 'invoice.reminder_requested', recipient: { id: guardianId }, payload: { invoiceId: id } },
  ])
})

test('before closed days are announced, it is known whom a message reaches, who is called and who cannot be told', async () => {
  const groupId = await newGroup(world())
  const pupil = (more: Record<string, unknown> = {}) => newPupil(world(), groupId, more)
  await parentOf(await pupil())
  await parentOf(await pupil(), { email: 'rana@example.org' })
  const twins = [await pupil(), await pupil()] as const
  const mother = await parentOf(twins[0])
  const link = { guardianId: mother, relationship: 'mother', isPrimary: true, isPayer: true }
  await institute.owner.post(`/students/${twins[1]}/guardians`, link)
  await pupil()
  await pupil({ email: 'noor@example.org' })
  const { body } = await institute.owner.get('/notifications/reach')
  expect(body).toEqual({ people: 5, reached: 2, toCall: 2, unreached: 1, hasMailbox: true })
})

describe('who told them', () => {
  const oneCall = async (): Promise<string> => {
    const guardianId = await parentOf(await newStudent(world()))
    const message = { ...trip, recipients: { guardianIds: [guardianId] }, toCall: true }
    await institute.owner.post('/notifications/send', message)
    await app.drain()
    return (await calls())[0].id
  }

  test('is kept, and a second person is refused with their name; a slip is taken back', async () => {
    const id = await oneCall()
    const desk = await institute.member({ role: 'admin' })
    expect(await told(institute.owner, id, 'whatsapp')).toMatchObject({
      status: 200,
      body: { status: 'told', how: 'whatsapp', toldByName: expect.any(String) },
    })
    const second = await told(desk, id, 'call')
    expect([second.status, second.body.error.details]).toMatchObject([
      409,
      { reason: 'already_told', how: 'whatsapp', toldByName: expect.any(String) },
    ])
    expect(await calls()).toEqual([])
    expect((await told(institute.owner, id, 'sms')).body.how).toBe('sms')
    const open = await institute.owner.delete(`/notifications/calls/${id}/told`)
    expect(open.body).toMatchObject({ status: 'open', how: null, toldByName: null })
    expect((await told(desk, id, 'not_needed')).body).toMatchObject({ status: 'not_needed', how: null })
  })

  test('is one of two who do it at once', async () => {
    const id = await oneCall()
    const desk = await institute.member({ role: 'admin' })
    const both = await Promise.all([told(institute.owner, id, 'call'), told(desk, id, 'whatsapp')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

test('everybody of one message is told at once, but for whom somebody told before', async () => {
  const send = async (count: number) => {
    const guardianIds: string[] = []
    for (let nth = 0; nth < count; nth += 1) guardianIds.push(await parentOf(await newStudent(world())))
    const { body } = await institute.owner.post('/notifications/send', {
      ...trip,
      recipients: { guardianIds },
      toCall: true,
    })
    await app.drain()
    return body.batchId as string
  }
  const [sourceId, otherId] = [await send(3), await send(1)]
  const desk = await institute.member({ role: 'admin' })
  await told(desk, (await calls(`?sourceId=${sourceId}`))[0].id, 'call')
  const all = { sourceId, how: 'whatsapp' }
  const both = await Promise.all([1, 2].map(() => institute.owner.post('/notifications/calls/told', all)))
  expect(both.map(({ body }) => body.told).toSorted()).toEqual([0, 2])
  const listed = await calls(`?sourceId=${sourceId}`)
  expect(listed.map(({ how }: { how: string }) => how).toSorted()).toEqual(['call', 'whatsapp', 'whatsapp'])
  expect(await calls()).toMatchObject([{ sourceId: otherId }])
})

test('what was not told before it happened is not told any more', async () => {
  const groupId = await newGroup(world())
  await parentOf(await newPupil(world(), groupId))
  const sessionId = await newSession(institute, groupId)
  await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Rain' })
  await app.drain()
  expect(await calls()).toHaveLength(1)
  app.clock.advance(86_400)
  await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
    unit.system().enqueue(sweepNotificationsJob, {}),
  )
  await app.drain()
  expect(await calls()).toEqual([])
})
