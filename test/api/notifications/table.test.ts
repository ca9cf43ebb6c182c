import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job, NoPayload } from '#kernel/contract/job.ts'
import { directionOf } from '#shared/locale.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { CHANNELS } from '#modules/notifications/tables.ts'
import { sweepSubscriptionsJob } from '#modules/plans/sweep.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { reachOf, startAudience, type Audience, type Recipient } from '#kit/audience.ts'
import { newParent } from '#kit/family.ts'
import { logReader } from '#kit/log-reader.ts'
import { platformAdmin } from '#kit/platform-admin.ts'
import { startReceiver } from '#kit/receiver.ts'
import { messageReport, wordsOf, type SentMessages } from '#kit/message-report.ts'
import { linkStudent } from '../examples/curriculum.ts'
import { newExam } from '../examples/exams.ts'
import { newWebhook } from '../examples/integrations.ts'
import { enquiry } from '../examples/leads.ts'
import { inDays, newPlan, newSubscription } from '../examples/plans.ts'
import { newReport } from '../examples/progress-reports.ts'
import { create, newPupil, newSession, newStaff } from '../examples/sessions.ts'
import { moneyRows } from './money-rows.ts'
import { offerPlaces } from './offer-places.ts'
import { peopleElsewhere } from './people-elsewhere.ts'
import { proposalRows } from './proposal-rows.ts'
import { sessionRows, type Row } from './session-rows.ts'

/**
 * Who hears of what, over which channels and in which words. Each row does the thing through the API and reads what
 * arrived: at a mail server, at the HTTPS servers of the providers of SMS and WhatsApp, in browsers that decrypt what a
 * push service got, and in the inboxes. The words are kept beside this file, to be read: texts.md.
 */

const [HOUR, DAY] = [3600, 86_400]

let audience: Audience
let groupId: string
const students: Record<string, string> = {}

const post = async (path: string, body?: unknown) => {
  const reply = await audience.institute.owner.post(path, body)
  if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** The people of the institute: three families of three languages, the office, and some whom nothing concerns. */
beforeAll(async () => {
  audience = await startAudience()
  const { institute, member, stranger } = audience
  const { owner, branchId } = institute
  await audience.equip('an owner', 'Olivia Brown', 'en', { ...owner, userId: institute.ownerUserId })
  await member('an owner', 'عمر سعيد', 'ar', 'owner')
  await member('an owner', 'אורי שלום', 'he', 'owner')
  await member('an administrator', 'Adele King', 'en', 'admin')
  await member('an administrator of the branch', 'Brenda Hall', 'en', 'admin', branchId)
  await member('the front desk of the branch', 'Grace Miller', 'en', 'front_desk', branchId)
  await member('the front desk of another branch', 'Peter Hill', 'en', 'front_desk', await branch('North'))
  await member('an accountant', 'Alan Young', 'en', 'accountant')

  const teacher = await member('the teacher', 'תמר כץ', 'he', 'teacher')
  const categoryId = await create(institute, '/course-categories', { name: 'Sciences', slug: 'sciences' })
  const courseId = await create(institute, '/courses', { categoryId, name: 'Mathematics' })
  const [firstName, lastName] = teacher.name.split(' ')
  const teacherStaffId = await create(institute, '/staff', {
    branchId,
    firstName,
    lastName,
    userId: teacher.account?.userId,
  })
  groupId = await create(institute, '/groups', { courseId, branchId, name: 'Algebra 1', teacherStaffId })

  const noor = await pupil(await member('a student', 'نور حدّاد', 'ar', 'student'))
  const maha = await pupil(stranger('a student without an address', 'مها حدّاد', 'en'))
  const hala = await parent(await member('the mother of both, who pays', 'هالة حدّاد', 'ar', 'guardian'), noor, true)
  const link = { guardianId: hala, relationship: 'mother', isPrimary: true, isPayer: true }
  await post(`/students/${maha}/guardians`, link)
  const sami = { email: 'sami@example.org', phone: true } as const
  await parent(stranger('the father of one, without an account', 'سامي حدّاد', 'ar', sami), noor)
  const dana = await pupil(await member('a student', 'דנה לוי', 'he', 'student'))
  await parent(await member('the mother, who pays', 'רחל לוי', 'he', 'guardian'), dana, true)
  const adam = await pupil(await member('a student who pays', 'Adam Smith', 'en', 'student'))
  await parent(await member('the father', 'James Smith', 'en', 'guardian'), adam)
  await parent(stranger('the aunt, without an email address', 'Rana Smith', 'en', { phone: true }), adam)

  const elsewhere = await newPupil(institute, await create(institute, '/groups', { courseId, branchId, name: 'Other' }))
  await parent(await member('a parent of another group', 'Gail Green', 'en', 'guardian'), elsewhere)
  await member('another teacher', 'Theo White', 'en', 'teacher')
  await peopleElsewhere(audience)
}, 60_000)
afterAll(() => audience.close())

const branch = (name: string): Promise<string> => create(audience.institute, '/branches', { name })

/** The record of a student of the group. @returns its id */
const pupil = async ({ name, email, phone, account }: Recipient): Promise<string> => {
  const [firstName, lastName] = name.split(' ')
  const id = await newPupil(audience.institute, groupId, { firstName, lastName, email, phone })
  if (account) await linkStudent(audience.app, id, account)
  students[name] = id
  return id
}

/** The record of a guardian of the student. @returns its id */
const parent = ({ name, email, phone, locale, account }: Recipient, studentId: string, isPayer = false) => {
  const [firstName, lastName] = name.split(' ')
  const userId = account?.userId
  const fields = { firstName, lastName, email, phone, preferredLocale: locale, userId }
  return newParent(audience.institute, studentId, fields, { isPrimary: isPayer, isPayer })
}

/** Whose accounts are hung on records and taken away again. */
const UNLINKED = ['عمر سعيد', 'אורי שלום', 'Theo White']
const hung: string[] = []

const run = (job: Job<NoPayload>): Promise<void> =>
  runInTransaction(audience.app.app.runtime, systemAuditContext('test'), async (unit) => unit.system().enqueue(job, {}))

let marked = ''
const mark = async (status: string, isAgain = false): Promise<void> => {
  if (!isAgain) marked = await newSession(audience.institute, groupId)
  const entries = ONE_EACH.map((name) => ({ studentId: students[name], status }))
  await audience.institute.owner.put(`/sessions/${marked}/attendance`, { entries })
}

/** What the teacher handed in, to be read over. */
let handedIn: string[] = []
const handIn = async (names: readonly string[]): Promise<void> => {
  handedIn = []
  for (const name of names) handedIn.push(await newReport(audience.institute, { studentId: students[name], groupId }))
  const teacher = audience.recipients.find(({ label }) => label === 'the teacher')?.account
  const reply = await teacher?.post('/progress-reports/submit', { ids: handedIn })
  expect(reply?.body).toEqual({ done: handedIn, refused: [] })
}

const lock = async (reason: string): Promise<void> => {
  const admin = await platformAdmin(audience.app)
  const path = `/platform/tenants/${audience.institute.tenant.id}`
  await admin.post(`${path}/lock`, { reason })
  await admin.post(`${path}/unlock`)
}

const preferDaily = async (): Promise<void> => {
  const preferences = CHANNELS.map((channel) => ({ channel, enabled: true, digestMode: 'daily' }))
  for (const { account } of audience.recipients.filter(({ label }) => label === 'an owner'))
    await account?.put('/notification-preferences', { preferences })
}

const OWNERS = ['Olivia Brown', 'عمر سعيد', 'אורי שלום']
/** A student of each family, and all of them. */
const ONE_EACH = ['نور حدّاد', 'דנה לוי', 'Adam Smith']
const STUDENTS = [...ONE_EACH, 'مها حدّاد']
const GUARDIANS = ['هالة حدّاد', 'سامي حدّاد', 'רחל לוי', 'James Smith', 'Rana Smith']
/** The payer on record; the third family has none, so the student hears. */
const PAYERS = ['هالة حدّاد', 'רחל לוי', 'Adam Smith']

const money = moneyRows(
  () => ({
    institute: audience.institute,
    studentIds: ONE_EACH.map((name) => students[name] as string),
    today: audience.app.clock.now().slice(0, 'YYYY-MM-DD'.length),
  }),
  PAYERS,
)

const secretUrl = 'secret-path'

const ROWS: readonly Row[] = [
  { event: 'student.absent', what: 'students are absent', hears: GUARDIANS, does: () => mark('absent') },
  { event: 'student.absent', what: 'students are late', hears: GUARDIANS, does: () => mark('late') },
  { event: 'student.absent', what: 'students are excused', hears: GUARDIANS, does: () => mark('excused') },
  {
    event: 'attendance.corrected',
    what: 'those who were marked absent were there',
    hears: GUARDIANS,
    given: () => mark('absent'),
    does: () => mark('present', true),
  },
  {
    event: 'place.offered',
    what: 'places that became free are offered to students who wait',
    hears: [...ONE_EACH, ...GUARDIANS],
    does: () =>
      offerPlaces(
        audience.institute,
        groupId,
        ONE_EACH.map((name) => students[name] as string),
      ),
  },
  ...money.rows,
  ...sessionRows(() => ({ institute: audience.institute, groupId }), [...STUDENTS, ...GUARDIANS]),
  {
    event: 'exam.published',
    what: 'the results of an exam are published',
    hears: [...STUDENTS, ...GUARDIANS],
    does: async () => {
      const examId = await newExam(audience.institute, groupId, { title: 'Unit 1' })
      await post(`/exams/${examId}/publish`)
    },
  },
  {
    event: 'progress_report.sent',
    what: 'a progress report of each student is sent',
    hears: [...ONE_EACH, ...GUARDIANS],
    does: async () => {
      for (const name of ONE_EACH) {
        const reportId = await newReport(audience.institute, { studentId: students[name] })
        await post(`/progress-reports/${reportId}/send`)
      }
    },
  },
  {
    event: 'progress_reports.submitted',
    what: 'a teacher hands in several progress reports',
    hears: [...OWNERS, 'Adele King', 'Brenda Hall'],
    over: ['in_app', 'push'],
    does: () => handIn(ONE_EACH),
  },
  {
    event: 'progress_report.returned',
    what: 'one of them is returned with a remark',
    hears: ['תמר כץ'],
    over: ['in_app', 'push'],
    does: () => post(`/progress-reports/${handedIn[0]}/return`, { remark: 'Please say what Noor can practise.' }),
  },
  ...proposalRows({ audience: () => audience, students, owners: OWNERS, post }),
  {
    event: 'lead.created',
    what: 'somebody leaves their details',
    hears: [...OWNERS, 'Adele King', 'Brenda Hall', 'Grace Miller'],
    does: () => post('/leads', enquiry()),
    neverSays: /Omar|Aziz|\+972/,
  },
  {
    event: 'leads.summary',
    what: 'more leave their details within an hour than are told one by one',
    hears: [...OWNERS, 'Adele King', 'Brenda Hall', 'Grace Miller'],
    over: CHANNELS.filter((channel) => channel !== 'in_app'),
    given: async () => {
      audience.app.clock.advance(2 * HOUR)
      for (let n = 0; n < 8; n += 1) await post('/leads', enquiry())
    },
    does: async () => audience.app.clock.advance(HOUR),
    neverSays: /Omar|Aziz|\+972/,
  },
  {
    event: 'member.invited',
    what: 'people are invited',
    hears: ['ليلى منصور', 'ליאור גל', 'Lily Stone'],
    over: ['email'],
    does: async () => {
      for (const { email } of audience.recipients.filter(({ label }) => label.endsWith('elsewhere')))
        await post('/members', { email, roleId: audience.institute.roles.accountant })
    },
  },
  {
    event: 'webhook_endpoint.disabled',
    what: 'a webhook fails twenty times',
    hears: [...OWNERS, 'Adele King'],
    does: async () => {
      const receiver = await startReceiver(500)
      const { port } = new URL(receiver.url)
      const url = `http://127.0.0.1:${port}/${secretUrl}`
      await newWebhook(audience.institute, { url, events: ['student.created'] })
      const student = { branchId: audience.institute.branchId, firstName: 'New', lastName: 'Student' }
      for (let n = 0; n < 20; n += 1) await post('/students', student)
      await audience.app.drain()
      receiver.close()
    },
    neverSays: new RegExp(secretUrl),
  },
  {
    event: 'account.unlinked',
    what: 'an account is taken from a record',
    hears: UNLINKED,
    given: async () => {
      for (const { account } of audience.recipients.filter(({ name }) => UNLINKED.includes(name)))
        hung.push(await newStaff(audience.institute, { userId: account?.userId }))
    },
    does: () => Promise.all(hung.map((id) => audience.institute.owner.patch(`/staff/${id}`, { userId: null }))),
  },
  {
    event: 'message',
    what: 'the office writes to a group',
    // Nothing reaches the fourth student, whose parents hear.
    hears: [...ONE_EACH, ...GUARDIANS],
    does: () =>
      post('/notifications/send', {
        templateKey: 'message',
        data: { title: 'Closed on Sunday', message: 'We are closed on Sunday.\n\nSee you on Monday.' },
        channels: CHANNELS,
        recipients: { groupId },
      }),
  },
  {
    event: 'tenant.locked',
    what: 'the institute is locked',
    hears: OWNERS,
    does: () => lock('The invoice of March is open.'),
  },
  {
    event: 'subscription.expiring',
    what: 'the subscription ends in a week',
    hears: OWNERS,
    given: async () => {
      const { id: planId } = await newPlan(audience.app, { code: 'standard' })
      const currentPeriodEnd = inDays(audience.app, 8)
      await newSubscription(audience.app, audience.institute, { planId, currentPeriodEnd })
      audience.app.clock.advance(DAY)
    },
    does: () => run(sweepSubscriptionsJob),
  },
  {
    event: 'invoice.overdue',
    what: 'invoices become overdue',
    hears: PAYERS,
    given: async () => {
      await money.billed()
      audience.app.clock.advance(20 * DAY)
    },
    does: () => run(sweepOverdueJob),
  },
  {
    event: 'digest',
    what: 'a day ends on which two things happened',
    hears: OWNERS,
    given: async () => {
      await preferDaily()
      await lock('The invoice of March is open.')
      await audience.app.pass(60)
      await lock('The invoice of April is open.')
    },
    does: async () => audience.app.clock.advance(DAY),
  },
]

const recipientsOf = ({ hears }: Row): Recipient[] => audience.recipients.filter(({ name }) => hears.includes(name))

// Of an event the log leaves out the inbox and the browser of somebody who has no account.
const logOf = (row: Row): string[] =>
  recipientsOf(row)
    .flatMap((one) =>
      (row.over ?? CHANNELS)
        .filter((channel) => one.account || row.event === 'message' || (channel !== 'push' && channel !== 'in_app'))
        .map((channel) => [one.name, channel, reachOf(one).includes(channel) ? 'sent' : 'skipped'].join(' ')),
    )
    .toSorted()

const newlyLogged = logReader()
const sent: SentMessages[] = []

describe('who hears of it', () => {
  test.each(ROWS)('$event: $what', async (row) => {
    await row.given?.()
    await audience.app.drain()
    await audience.arrived()
    await newlyLogged(audience.institute.owner, row.event)

    await row.does()
    await audience.app.drain()
    const messages = await audience.arrived()
    const { over = CHANNELS } = row
    const expected = recipientsOf(row).flatMap((recipient) =>
      reachOf(recipient).flatMap((channel) => (over.includes(channel) ? [`${recipient.name} ${channel}`] : [])),
    )
    const found = messages.map(({ recipient, channel }) => `${recipient.name} ${channel}`)
    expect(found.toSorted()).toEqual(expected.toSorted())
    // The mail of an invitation is no notification: it has a link that is a secret.
    expect(await newlyLogged(audience.institute.owner, row.event)).toEqual(
      row.event === 'member.invited' ? [] : logOf(row),
    )

    for (const { recipient, locale, title, body, html } of messages) {
      expect(locale ?? recipient.locale).toBe(recipient.locale)
      if (row.neverSays) expect(`${title} ${body} ${html}`).not.toMatch(row.neverSays)
      if (html === undefined) continue
      expect(html).toContain(`<html lang="${recipient.locale}" dir="${directionOf(recipient.locale)}">`)
      const readable = wordsOf(html)
      for (const line of body.split('\n')) {
        // The link that stops mails has words of its own in HTML.
        expect(/^https?:/.test(line) ? html.replaceAll('&amp;', '&') : readable).toContain(
          line.replace(/:$/, '').trim(),
        )
      }
    }
    expect(audience.refused).toEqual([])
    sent.push({ event: row.event, what: row.what, recipients: recipientsOf(row), messages })
  })

  test('and in which words: as kept beside this file', async () => {
    expect(sent).toHaveLength(ROWS.length)
    await expect(messageReport(sent)).toMatchFileSnapshot('texts.md')
  })
})
