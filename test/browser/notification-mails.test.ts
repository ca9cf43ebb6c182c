import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#kernel/time/clock.ts'
import type { EventData, EventType } from '#kernel/contract/events.ts'
import { sweepOverdueJob } from '#modules/billing/sweep.ts'
import { EVENT_KEYS } from '#modules/notifications/texts/language-texts.ts'
import { disableEndpoint } from '#modules/webhooks/endpoints-service.ts'
import { createSmtpMailer } from '#ports/mail/smtp.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction } from '#runtime/change/transaction.ts'
import { startApp, type TestApp } from '#kit/app.ts'
import { launchBrowser } from '#kit/browser.ts'
import { newParent } from '#kit/family.ts'
import { makeInstitute, type TestInstitute, type TestMember } from '#kit/institute.ts'
import { startSmtpSink, type SmtpSink } from '#kit/smtp-sink.ts'
import { newExam } from '../api/examples/exams.ts'
import { newWebhook } from '../api/examples/integrations.ts'
import { enquiry } from '../api/examples/leads.ts'
import { newReport } from '../api/examples/progress-reports.ts'
import { create, newPupil, newSession } from '../api/examples/sessions.ts'
import { lookAtMails, type ShownMail } from './mail-program.ts'
import { newPage } from './screens.ts'
import { aCheque } from '../api/examples/cheques.ts'
import { tellOfCover, tellOfDays, tellOfPlaces, tellOfProposals } from './told-of-groups.ts'

/** Does what people are told of by mail, and shows what a mail server got, in every language. */

const LOCALES = ['ar', 'he', 'en'] as const
type Locale = (typeof LOCALES)[number]

/** Names in another direction than the text around them, very long ones, and ones that HTML has to escape. */
const INSTITUTES = [
  {
    label: 'arabic-names',
    institute: 'معهد النور',
    group: 'الجبر ٢ (مساءً)',
    course: 'الرياضيات – الصف 9',
    exam: 'امتحان الوحدة 1',
    student: { firstName: 'نور الهدى', lastName: 'حدّاد' },
    parent: { firstName: 'هالة', lastName: 'حدّاد' },
    member: 'ليان خوري',
    reason: 'لم تُدفع الفاتورة 17.',
  },
  {
    label: 'long-latin-names',
    institute: 'The Light & Learning Institute of Mathematics, Science <and> Languages (Jerusalem)',
    group: 'Algebra 1 / Group B: Advanced, Tuesdays & Thursdays',
    course: `Mathematik-${'Zusatz'.repeat(20)}`,
    exam: 'Unit 1 (50%)',
    student: { firstName: 'Maximiliana-Alexandrina Konstantina', lastName: 'von Hohenstaufen-Hattingberg' },
    parent: { firstName: 'Jean-Baptiste', lastName: 'O’Connor' },
    member: 'Dr. Tamar Levi-Goldstein',
    reason: 'Invoice INV-17 (1,450.50 ₪) is not paid!',
  },
] as const
type Names = (typeof INSTITUTES)[number]

/** What staff hear in the console alone: a mail of mails that are stuck would be stuck too. */
const MAILED_KEYS = EVENT_KEYS.filter(
  (key) =>
    !key.startsWith('update.') &&
    ![
      'details.proposed',
      'https.failed',
      'mails.stuck',
      'online_payment.attention',
      'progress_reports.submitted',
      'progress_report.returned',
    ].includes(key),
)

const WORDS = {
  ar: {
    title: 'المعهد مغلق يوم الأحد 8.3.2026!',
    message: [
      'نودّ إعلامكم بأن المعهد سيكون مغلقًا يوم الأحد، بمناسبة العيد.',
      'تُستأنف الدروس يوم الاثنين، الساعة 16:00 (في الغرفة B-12).\nللاستفسار: 050-123-4567 أو office@example.org.',
      'https://example.org/a/very/long/address/of/a/page/that/does/not/fit/into/one/line/of/a/phone?with=a&query=too',
    ],
  },
  he: {
    title: 'המכון סגור ביום ראשון, 8.3.2026!',
    message: [
      'ברצוננו לעדכן שהמכון יהיה סגור ביום ראשון, לרגל החג.',
      'השיעורים יתחדשו ביום שני, בשעה 16:00 (בחדר B-12).\nלשאלות: +972 50-123-4567 או office@example.org.',
      'A line in English, as the teacher wrote it: +972 50-765-4321.',
    ],
  },
  en: {
    title: 'Closed on Sunday, 8.3.2026!',
    message: [
      'We would like to let you know that the institute will be closed on Sunday for the holiday.',
      'Lessons go on on Monday at 16:00 (room B-12).\nQuestions: 050-123-4567 or office@example.org.',
      'שורה בעברית, כפי שכתבה המורה, עם laptop.',
      'A'.repeat(300),
    ],
  },
} as const

let browser: Browser
let sink: SmtpSink
let app: TestApp
let page: Page

const TOKEN_SECONDS = 100 * 24 * 3600

beforeAll(async () => {
  browser = await launchBrowser()
  page = await newPage(browser, 'en')
  sink = await startSmtpSink()
  app = await startApp({
    openMailer: () => createSmtpMailer({ url: sink.url, from: 'office@example.org', clock: systemClock }),
    config: { accessTokenSeconds: TOKEN_SECONDS, refreshTokenSeconds: TOKEN_SECONDS },
  })
})
afterAll(async () => {
  await browser.close()
  await app.close()
  await sink.stop()
})

interface School extends TestInstitute {
  groupId: string
  /** A student for each language, whose one parent reads it and pays. */
  studentIds: string[]
  parentIds: string[]
  /** An owner for each language. */
  owners: TestMember[]
}

const openSchool = async (names: Names): Promise<School> => {
  const institute = await makeInstitute(app, { features: { basic_reports: true } })
  const { owner, branchId } = institute
  await owner.patch('/settings', {
    name: names.institute,
    invoiceFooter: 'Bank 12, branch 345, account 67890',
    branding: { color: '#7a2048' },
  })
  await owner.patch(`/branches/${branchId}`, {
    phone: '+97225551234',
    address: { line1: 'Salah ad-Din 7', city: 'Jerusalem' },
  })
  const owners: TestMember[] = []
  for (const locale of LOCALES) {
    const member = await institute.member({ role: 'owner' })
    await member.patch('/me', { locale, fullName: names.member })
    owners.push(member)
  }
  const place = { owner, branchId }
  const categoryId = await create(place, '/course-categories', { name: 'Category', slug: names.label })
  const courseId = await create(place, '/courses', { categoryId, name: names.course })
  const groupId = await create(place, '/groups', { courseId, branchId, name: names.group })
  const studentIds: string[] = []
  const parentIds: string[] = []
  for (const preferredLocale of LOCALES) {
    const studentId = await newPupil(place, groupId, names.student)
    const email = `${preferredLocale}@example.org`
    const pays = { relationship: 'mother', isPayer: true, isPrimary: true }
    parentIds.push(await newParent(place, studentId, { ...names.parent, preferredLocale, email }, pays))
    studentIds.push(studentId)
  }
  return { ...institute, groupId, studentIds, parentIds, owners }
}

const record = <T extends EventType>({ tenant }: School, type: T, data: EventData[T]): Promise<void> =>
  runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) => {
    unit.tenant(tenant, 'all').emit(type, data as never)
  })

/** What the owners are told of. */
const tellOwners = async (school: School, { reason }: Names): Promise<void> => {
  const endpoint = await newWebhook(school, { url: 'http://hooks.example.org/path?token=1' })
  await runInTransaction(app.app.runtime, systemAuditContext('test'), (unit) =>
    disableEndpoint(unit.tenant(school.tenant, 'all'), endpoint.id),
  )
  // Beyond five an hour they come in a summary.
  for (let count = 0; count < 7; count += 1) await school.owner.post('/leads', enquiry())
  for (const { userId } of school.owners) {
    const guardian = `/guardians/${school.parentIds[0]}`
    await school.owner.patch(guardian, { userId })
    await school.owner.patch(guardian, { userId: null })
  }
  const subscriptionId = crypto.randomUUID()
  const currentPeriodEnd = '2026-03-09T22:30:00.000Z'
  await record(school, 'subscription.expiring', {
    subscriptionId,
    planCode: 'basic',
    currentPeriodEnd,
    daysUntilExpiry: 7,
  })
  await record(school, 'tenant.locked', { subscriptionId, reason, source: 'manual' })
  await app.drain()
}

/** What the parents of the students are told of. */
const tellParents = async (school: School, names: Names): Promise<void> => {
  const { owner, groupId, studentIds } = school
  const later = (seconds: number) => new Date(app.clock.millis() + seconds * 1000).toISOString()
  const hours = { scheduledStart: later(7200), scheduledEnd: later(10_800) }
  const lesson = () => newSession(school, groupId, hours)
  await newSession(school, groupId, { ...hours, notify: true })
  const sessionId = await lesson()
  const entries = studentIds.map((studentId, n) => ({ studentId, status: ['absent', 'late', 'excused'][n] }))
  await owner.put(`/sessions/${sessionId}/attendance`, { entries })
  await owner.patch(`/sessions/${await lesson()}`, { status: 'cancelled', reason: 'Rain' })
  await owner.patch(`/sessions/${await lesson()}`, { scheduledStart: later(9000), scheduledEnd: later(14_400) })
  for (const [n, { userId }] of school.owners.entries()) {
    const teacherStaffId = await create(school, '/staff', { branchId: school.branchId, ...names.parent, userId })
    await owner.patch(`/sessions/${await lesson()}`, { teacherStaffId })
    await tellOfCover(app, school, names.parent, { substituteStaffId: teacherStaffId, tellFamilies: n === 0 })
  }
  await owner.post(`/exams/${await newExam(school, groupId, { title: names.exam })}/publish`)
  for (const studentId of studentIds) {
    await owner.post(`/progress-reports/${await newReport(school, { studentId })}/send`)
    const lines = [{ description: 'March', unitAmountMinor: 1_234_550 }]
    const id = await create(school, '/invoices', { studentId, lines, dueDate: later(18 * 24 * 3600).slice(0, 10) })
    await owner.post(`/invoices/${id}/issue`)
    await owner.post(`/invoices/${id}/payments`, { amountMinor: 45_050, currency: 'ILS', method: 'bank_transfer' })
    const [receipt] = (await owner.get('/receipts?limit=1')).body.data
    await owner.post(`/receipts/${receipt.id}/send`)
    await owner.post(`/invoices/${id}/remind`)
    const cheques = [aCheque({ dueOn: later(0).slice(0, 10), amountMinor: 45_050 })]
    const taken = { currency: 'ILS', cheques, allocations: [{ invoiceId: id, amountMinor: 45_050 }] }
    const { body } = await owner.post('/cheques', taken)
    await owner.post(`/cheques/${body.cheques[0].id}/bounce`, { reason: 'No cover' })
  }
  await app.drain()
  const present = studentIds.map((studentId) => ({ studentId, status: 'present' }))
  await owner.put(`/sessions/${sessionId}/attendance`, { entries: present })
  await app.drain()
  await tellOfDays(app, school)
  await tellOfProposals(app, school, names)
  await tellOfPlaces(app, school, names.group, names.student)
}

/** Sends by hand, to one parent, what has a text of the platform's and what has one of the institute's own. */
const write = async ({ owner, parentIds }: School): Promise<void> => {
  for (const [n, locale] of LOCALES.entries()) {
    const { title, message } = WORDS[locale]
    const send = (templateKey: string, data: object) =>
      owner.post('/notifications/send', {
        templateKey,
        channels: ['email'],
        recipients: { guardianIds: [parentIds[n]] },
        data,
      })
    await send('message', { title, message: message.join('\n\n') })
    await owner.post('/notification-templates', {
      key: 'trip',
      channel: 'email',
      locale,
      subject: `${title} {{data.place}}`,
      body: `{{recipientName}}!\n{{data.place}}: 1,450.50 ₪ ({{data.day}})\n\n${message[0]}\n\n{{link}}\n\n{{institute}}`,
    })
    await send('trip', { place: 'Mount Hermon / جبل الشيخ', day: '2026-03-08' })
  }
  await app.drain()
}

/** Moves the clock to an instant and runs what is due. */
const until = async (instant: string): Promise<void> => {
  app.clock.advance((Date.parse(instant) - app.clock.millis()) / 1000)
  await app.drain()
}

interface Arrived extends ShownMail {
  /** The key of its text. */
  key: string
  locale: Locale
}

const nameOf = ({ key, locale }: Arrived): string => `${key} ${locale}`
const digests = (mails: readonly Arrived[]): string[] => mails.map(nameOf).filter((name) => name.startsWith('digest'))

/** Where a word of the mail begins, in pixels from the left. */
const leftOf = (word: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const start = node.data.indexOf('${word}')
      if (start === -1) continue
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, start + ${word.length})
      return range.getBoundingClientRect().left
    }
  })()`)

/** The mails that came since the last call. */
const arrived = (() => {
  let seen = 0
  return async (): Promise<Arrived[]> => {
    const mails = await sink.messages()
    const rows = await app.app.database.read.selectFrom('notification').select(['id', 'template_key']).execute()
    const keys = new Map(rows.map((row) => [row.id, row.template_key]))
    const fresh = mails.slice(seen)
    seen = mails.length
    return fresh.map((mail) => ({
      ...mail,
      key: keys.get(/<([\w-]+)@/.exec(mail.messageId ?? '')?.[1] ?? '') ?? '',
      locale: mail.headers.find(({ key }) => key === 'content-language')?.value as Locale,
    }))
  }
})()

describe.each(INSTITUTES)('with $label', (names) => {
  let school: School
  beforeAll(async () => {
    school = await openSchool(names)
  })

  /** Looks at one new mail of each text and language. @returns them by their names */
  const lookAtAll = async (label: string): Promise<Arrived[]> => {
    const mails = new Map((await arrived()).map((mail) => [nameOf(mail), mail]))
    for (const [locale, theirs] of Map.groupBy(mails.values(), (mail) => mail.locale)) {
      await lookAtMails(page, theirs, locale, `mails-${locale}-${label}-${names.label}`)
    }
    return [...mails.values()].toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  }
  const inAll = (...keys: string[]) => keys.flatMap((key) => LOCALES.map((locale) => `${key} ${locale}`)).toSorted()

  test('what people are told can be read by everybody', async () => {
    await tellOwners(school, names)
    await tellParents(school, names)
    await app.pass(2 * 3600)
    app.clock.advance(30 * 24 * 3600)
    await runInTransaction(app.app.runtime, systemAuditContext('test'), async (unit) =>
      unit.system().enqueue(sweepOverdueJob, {}),
    )
    await app.drain()
    expect((await lookAtAll('event')).map(nameOf)).toEqual(inAll(...MAILED_KEYS))
  })

  test('what is written by hand can be read by everybody', async () => {
    await write(school)
    const mails = await lookAtAll('hand')
    expect(mails.map(nameOf)).toEqual(inAll('message', 'trip'))
    const show = (name: string) => page.setContent(mails.find((mail) => nameOf(mail) === name)?.html ?? '')
    await show('message ar')
    expect(await leftOf('050')).toBeLessThan(await leftOf('4567'))
    await show('message he')
    expect(await leftOf('+972')).toBeLessThan(await leftOf('4567'))
    expect(await page.locator('p', { hasText: 'A line in English' }).getAttribute('dir')).toBe('ltr')
    await show('message en')
    expect(await page.locator('p', { hasText: 'laptop' }).getAttribute('dir')).toBe('rtl')
  })

  test('digests can be read by everybody', async () => {
    const sunday = names === INSTITUTES[0] ? '2026-04-12' : '2026-05-17'
    const prefer = async (digestMode: string) => {
      for (const member of school.owners) {
        await member.put('/notification-preferences', {
          preferences: [{ channel: 'email', enabled: true, digestMode }],
        })
      }
    }
    await prefer('weekly')
    await record(school, 'tenant.locked', { subscriptionId: null, reason: names.reason, source: 'manual' })
    await app.drain()
    await until(`${sunday}T04:00:00.000Z`)
    expect(digests(await lookAtAll('weekly'))).toEqual(inAll('digest'))
    await prefer('daily')
    await tellOwners(school, names)
    await tellOwners(school, names)
    await arrived()
    app.clock.advance(24 * 3600)
    await app.drain()
    expect(digests(await lookAtAll('daily'))).toEqual(inAll('digest'))
    // The summary of the leads comes with the digest of the next day.
    app.clock.advance(24 * 3600)
    await app.drain()
    await arrived()
  })
})
