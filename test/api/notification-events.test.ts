import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import type { EventData, EventType } from '#kernel/events.ts'
import { newId } from '#kernel/ids.ts'
import type { JobKind } from '#kernel/module.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { disableEndpoint } from '#modules/webhooks/endpoints-service.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { systemAuditContext } from '#runtime/audit-context.ts'
import { Queue } from '#runtime/queue.ts'
import { runInTransaction } from '#runtime/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { newFamily, newParent, type TestFamily } from '#kit/family.ts'
import { makeInstitute, type TestInstitute } from '#kit/institute.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'
import { newWebhook } from './examples/integrations.ts'
import { enquiry } from './examples/leads.ts'
import { newExam } from './examples/exams.ts'
import { newReport } from './examples/progress-reports.ts'
import { create, newPupil, newSession } from './examples/sessions.ts'

/** Does what people are told of, and reads what a mail server got and what the inboxes show. */

let sink: SmtpSink
let app: TestApp
let institute: TestInstitute
let family: TestFamily

const TOKEN_SECONDS = 100 * 24 * 3600

beforeEach(async () => {
  sink = await startSmtpSink()
  app = await startApp({
    openMailer: () => createSmtpMailer({ url: sink.url, from: 'office@example.org', clock: systemClock }),
    config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
  })
  institute = await makeInstitute(app, { features: { basic_reports: true } })
  family = await newFamily(institute)
})
afterEach(async () => {
  await app.close()
  await sink.stop()
})

const record = <T extends EventType>(type: T, data: EventData[T]): Promise<void> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.tenant(institute.tenant, 'all').record(type, data as never)
  })

const nameOf = (address: string): string =>
  address.startsWith('user-') ? 'account' : address.replace('@example.org', '')

/** Who got a mail, in which language and with which subject; isolates are left out. */
const mailed = async () =>
  (await sink.messages())
    .map(({ envelope, subject = '', headers }) => ({
      to: nameOf(envelope.to[0] as string),
      locale: headers.find(({ key }) => key === 'content-language')?.value,
      subject: subject.replaceAll(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' '),
    }))
    .toSorted((one, other) => (`${one.to} ${one.subject}` < `${other.to} ${other.subject}` ? -1 : 1))

const log = async (query = '') => (await institute.owner.get(`/notifications?limit=100${query}`)).body.data
const inbox = async () => (await institute.owner.get('/me/notifications')).body.data

const absent = (sessionId: string, studentId: string) =>
  institute.owner.put(`/sessions/${sessionId}/attendance`, { entries: [{ studentId, status: 'absent' }] })

const issued = async () => {
  const { id } = (
    await institute.owner.post('/invoices', {
      studentId: family.studentId,
      lines: [{ description: 'March', unitAmountMinor: 145_050 }],
      dueDate: '2026-03-20',
    })
  ).body
  await institute.owner.post(`/invoices/${id}/issue`)
  return id as string
}

const mother = (subject: string) => ({ to: 'mother', locale: 'ar', subject })
const father = (subject: string) => ({ to: 'father', locale: 'he', subject })
const student = (subject: string) => ({ to: 'student', locale: 'en', subject })
const account = (subject: string) => ({ to: 'account', locale: 'en', subject })

describe('who hears of it, by mail', () => {
  test('student.absent: the guardians, each in their language; who has no address is noted', async () => {
    await absent(await newSession(institute, family.groupId), family.studentId)
    await app.drain()
    expect(await mailed()).toEqual([
      father('Noor Haddad: היעדרות, יום חמישי, 5 במרץ 2026'),
      mother('Noor Haddad: غياب، الخميس، 5 آذار 2026'),
    ])
    expect(await log('&status=skipped')).toMatchObject([
      {
        templateKey: 'student.absent',
        channel: 'email',
        recipient: { kind: 'guardian', id: family.auntId, name: 'Rana Haddad', address: null },
        reason: 'There is no email address on record.',
      },
    ])
    expect(await inbox()).toEqual([])
  })

  test('invoice.issued, invoice.reminder_requested, payment.recorded: the payer', async () => {
    const id = await issued()
    await institute.owner.post(`/invoices/${id}/remind`)
    await institute.owner.post(`/invoices/${id}/payments`, { amountMinor: 45_050, currency: 'ILS', method: 'cash' })
    await app.drain()
    expect(await mailed()).toEqual([
      mother('استلام دفعة: \u200f450.50 ₪'),
      mother('تذكير: الفاتورة رقم INV-2026-000001'),
      mother('فاتورة رقم INV-2026-000001'),
    ])
    const texts = (await sink.messages()).map(({ text = '' }) => text.replaceAll(/[\u2068\u2069\u200f]/g, ''))
    const paid = texts.find((text) => text.includes('شكرًا'))?.replaceAll('\u00a0', ' ')
    expect(paid).toContain('المبلغ المتبقي: 1,000.00 ₪')
  })

  test('invoice.overdue: the payer; where there is none, the student', async () => {
    const alone = await newPupil(institute, family.groupId, { email: 'alone@example.org' })
    await issued()
    family.studentId = alone
    await issued()
    await app.drain()
    const before = (await sink.messages()).length
    app.clock.advance(30 * 24 * 3600)
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepOverdueJob, {}),
    )
    await app.drain()
    const overdue = (await sink.messages()).slice(before).map(({ envelope }) => nameOf(envelope.to[0] as string))
    expect(overdue.toSorted()).toEqual(['alone', 'mother'])
  })

  test('session.cancelled: the group’s students, their guardians and its teacher', async () => {
    const sessionId = await newSession(institute, family.groupId)
    await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'The teacher is ill' })
    await app.drain()
    const subject = 'Lesson cancelled: Algebra 1, Thursday, 5 March 2026'
    expect(await mailed()).toEqual([
      father('שיעור בוטל: Algebra 1, יום חמישי, 5 במרץ 2026'),
      mother('إلغاء حصة: Algebra 1، الخميس، 5 آذار 2026'),
      student(subject),
      { ...student(subject), to: 'teacher' },
    ])
    for (const { text } of await sink.messages()) expect(text).not.toContain('ill')
  })

  test('exam.published: the students of the exam and their guardians, a guardian of two once', async () => {
    const sister = await newPupil(institute, family.groupId, { firstName: 'Maha', lastName: 'Haddad' })
    const link = { guardianId: family.motherId, relationship: 'mother', isPrimary: false, isPayer: true }
    await institute.owner.post(`/students/${sister}/guardians`, link)
    const examId = await newExam(institute, family.groupId, { title: 'Unit 1' })
    await institute.owner.post(`/exams/${examId}/publish`)
    await app.drain()
    expect(await mailed()).toEqual([
      father('פורסמו תוצאות: Unit 1'),
      mother('نشر النتائج: Unit 1'),
      student('Results: Unit 1'),
    ])
    const toMother = (await sink.messages()).find(({ envelope }) => envelope.to[0] === 'mother@example.org')
    expect(toMother?.text).toMatch(/Noor Haddad.* و.*Maha Haddad|Maha Haddad.* و.*Noor Haddad/)
  })

  test('progress_report.sent: the student and the guardians', async () => {
    const reportId = await newReport(institute, { studentId: family.studentId })
    await institute.owner.post(`/progress-reports/${reportId}/send`)
    await app.drain()
    expect(await mailed()).toEqual([
      father('דוח התקדמות של Noor Haddad'),
      mother('تقرير تقدّم Noor Haddad'),
      student('Progress report of Noor Haddad'),
    ])
  })

  test('lead.created: who reads leads in its branch, without a word about the lead', async () => {
    const other = await create(institute, '/branches', { name: 'North' })
    await institute.member({ role: 'front_desk', branchId: institute.branchId })
    await institute.member({ role: 'front_desk', branchId: other })
    await institute.member({ role: 'accountant' })
    await institute.member({ role: 'teacher' })
    const lead = enquiry()
    await institute.owner.post('/leads', lead)
    await app.drain()
    // The owner and the front desk of the lead's branch.
    expect(await mailed()).toEqual([account('A new enquiry'), account('A new enquiry')])
    for (const { text, html } of await sink.messages()) {
      expect(`${text} ${html}`).not.toMatch(new RegExp(`${lead.firstName}|${lead.lastName}|${lead.phone.slice(1)}`))
      expect(text).toContain('http://localhost:')
    }
    expect(await inbox()).toMatchObject([{ templateKey: 'lead.created', payload: { leadId: expect.any(String) } }])
  })

  test('member.invited: the address, by the mail of the invitation alone', async () => {
    const roleId = institute.roles.front_desk
    await institute.owner.post('/members', { email: 'new@example.org', roleId })
    await app.drain()
    expect((await mailed()).map(({ to }) => to)).toEqual(['new'])
    expect(await log()).toEqual([])
  })

  test('subscription.expiring and tenant.locked: the owners', async () => {
    await institute.member({ role: 'admin' })
    const subscriptionId = newId()
    await record('subscription.expiring', {
      subscriptionId,
      planCode: 'basic',
      currentPeriodEnd: '2026-03-09T22:30:00.000Z',
      daysUntilExpiry: 7,
    })
    await record('tenant.locked', { subscriptionId, reason: 'Not paid', source: 'manual' })
    await app.drain()
    expect(await mailed()).toEqual([
      account(`${institute.tenant.name} has been locked`),
      account('The subscription ends on Tuesday, 10 March 2026'),
    ])
    expect(await inbox()).toHaveLength(2)
  })

  test('a webhook endpoint that failures disabled: who manages integrations in the whole institute', async () => {
    const endpoint = await newWebhook(institute, { url: 'http://hooks.example.org/secret-path?token=1' })
    await institute.member({ role: 'admin' })
    await institute.member({ permissions: ['integration.manage'], branchId: institute.branchId })
    await institute.member({ role: 'branch_manager' })
    await runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) =>
      disableEndpoint(unit.tenant(institute.tenant, 'all'), endpoint.id),
    )
    await app.drain()
    const subject = 'A webhook has been switched off'
    expect(await mailed()).toEqual([account(subject), account(subject)])
    expect((await sink.messages())[0]?.text).not.toContain('secret-path')
  })
})

describe('a person with an account', () => {
  test('reads it in the app, is mailed at the address and in the language of the account, once as parent and teacher', async () => {
    const member = await institute.member({ role: 'guardian' })
    await member.patch('/me', { locale: 'he' })
    await newParent(institute, family.studentId, {
      userId: member.userId,
      email: 'old@example.org',
      preferredLocale: 'ar',
    })
    await institute.owner.patch(`/staff/${family.teacherStaffId}`, { userId: member.userId })
    const sessionId = await newSession(institute, family.groupId)
    await institute.owner.patch(`/sessions/${sessionId}`, { status: 'cancelled', reason: 'Rain' })
    await app.drain()
    const toThem = (await mailed()).filter(({ to }) => to === 'account')
    expect(toThem).toEqual([{ ...account('שיעור בוטל: Algebra 1, יום חמישי, 5 במרץ 2026'), locale: 'he' }])
    expect((await mailed()).map(({ to }) => to)).not.toContain('old')
    const { data } = (await member.get('/me/notifications')).body
    expect(data).toEqual([
      {
        id: data[0].id,
        templateKey: 'session.cancelled',
        locale: 'he',
        title: expect.stringContaining('שיעור בוטל'),
        body: expect.stringContaining('Algebra 1'),
        payload: { sessionId, groupId: family.groupId },
        readAt: null,
        createdAt: app.clock.now(),
      },
    ])
  })

  test('who left the institute is reached by the address on their record', async () => {
    const member = await institute.member({ role: 'guardian' })
    await newParent(institute, family.studentId, { userId: member.userId, email: 'record@example.org' })
    await institute.owner.patch(`/members/${member.membershipId}`, { status: 'disabled' })
    await absent(await newSession(institute, family.groupId), family.studentId)
    await app.drain()
    expect((await mailed()).map(({ to }) => to)).toEqual(['father', 'mother', 'record'])
  })
})

test('an event whose telling runs twice tells once', async () => {
  await absent(await newSession(institute, family.groupId), family.studentId)
  await app.app.database.write((db) =>
    db
      .insertInto('job')
      .columns(['id', 'tenant_id', 'kind', 'lane', 'payload', 'run_at', 'max_attempts', 'created_at'])
      .expression(
        db
          .selectFrom('job')
          .select((eb) => [eb.val(newId()).as('id'), 'tenant_id', 'kind', 'lane', 'payload', 'run_at', 'max_attempts'])
          .select('created_at')
          .where('kind', '=', 'notifications.tell'),
      )
      .execute(),
  )
  await app.drain()
  expect((await mailed()).map(({ to }) => to)).toEqual(['father', 'mother'])
  expect(await log()).toHaveLength(3)
})

test('workers that run at once tell and send once', async () => {
  const kinds = new Map<string, JobKind>(
    app.app.modules.flatMap(({ jobs = [] }) => jobs.map((kind) => [kind.name, kind])),
  )
  const peer = new Queue(app.app.runtime, { kinds, log: pino({ level: 'silent' }), isOnlyProcess: false })
  const sessionIds = [1, 2, 3, 4].map(() => newSession(institute, family.groupId))
  for (const sessionId of sessionIds) await absent(await sessionId, family.studentId)
  await Promise.all([app.drain(), peer.drain(), app.drain()])
  await app.drain()
  expect((await mailed()).map(({ to }) => to)).toEqual([...Array(4).fill('father'), ...Array(4).fill('mother')])
  expect(await log('&status=sent')).toHaveLength(8)
})

test('a change that is rolled back tells nobody', async () => {
  const undone = runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit
      .tenant(institute.tenant, 'all')
      .record('tenant.locked', { subscriptionId: null, reason: null, source: 'manual' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await app.drain()
  expect(await mailed()).toEqual([])
})
