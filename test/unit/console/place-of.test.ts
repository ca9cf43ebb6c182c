import { describe, expect, test } from 'vitest'
import { SCREENS } from '../../../src/console/map.ts'
import { placeOf, staffPlaceOf } from '../../../src/console/records/notification/place-of.ts'
import type { mayOpen } from '../../../src/console/shell/navigation.ts'
import { DEFAULT_KEYS, type DefaultKey } from '#modules/notifications/texts/language-texts.ts'
import { openPath } from '../../../src/shared/open-path.ts'

const somebody = (permissions: readonly string[], ...roleKeys: string[]) =>
  ({
    can: (...wanted: string[]) => wanted.some((permission) => permissions.includes(permission)),
    membership: { roles: roleKeys.map((roleKey) => ({ roleId: roleKey, roleKey, roleName: roleKey })) },
  }) as unknown as Parameters<typeof mayOpen>[1]

const teacher = somebody(['groups.read', 'attendance.read', 'attendance.mark', 'exams.read', 'exams.write'], 'teacher')
const office = somebody(
  [
    'students.read',
    'students.write',
    'groups.read',
    'attendance.read',
    'exams.read',
    'reports.read',
    'invoices.read',
    'leads.read',
  ],
  'admin',
)
const parent = somebody([], 'guardian')
const about = (templateKey: string, payload: Record<string, string> = {}) => ({ templateKey, payload })

describe('what a notification is about', () => {
  test.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    ['session.cancelled', { sessionId: 's', groupId: 'g' }, '/sessions/s', '/sessions/s'],
    ['progress_report.returned', { progressReportId: 'r' }, '/progress-reports/r', '/progress-reports/r'],
    [
      'progress_reports.submitted',
      { groupId: 'g' },
      '/progress-reports?state=submitted',
      '/progress-reports?state=submitted',
    ],
    ['exam.published', { groupId: 'g', examId: 'e' }, '/groups/g/gradebook/e', '/groups/g/gradebook/e'],
    ['online_payment.attention', { onlinePaymentId: 'p', invoiceId: 'i' }, undefined, '/invoices/i'],
    ['receipt.sent', { receiptId: 'r' }, undefined, '/receipts/r'],
    ['lead.created', { leadId: 'l' }, undefined, '/leads/l'],
    ['details.proposed', {}, undefined, '/proposals'],
    ['leads.summary', {}, undefined, '/leads'],
    ['cover.given', {}, '/week', '/week'],
    ['tenant.locked', {}, undefined, undefined],
  ])('%s leads staff to its page, as far as they may open it', (key, payload, forTeacher, forOffice) => {
    expect(staffPlaceOf(about(key, payload), teacher)).toBe(forTeacher)
    expect(staffPlaceOf(about(key, payload), office)).toBe(forOffice)
  })

  test('leads whoever connects programs to the address that is switched off', () => {
    const programmer = somebody(['integration.manage'], 'owner')
    const disabled = about('webhook_endpoint.disabled', { endpointId: 'w' })
    expect(staffPlaceOf(disabled, programmer)).toBe('/settings/webhooks/w')
    expect(staffPlaceOf(disabled, office)).toBeUndefined()
  })

  test('leads families to the page that finds it at their child', () => {
    const exam = { examId: 'e', groupId: 'g' }
    expect(placeOf(about('exam.published', exam), parent)).toBe(openPath('exam.published', exam))
    expect(placeOf(about('message'), parent)).toBeUndefined()
    expect(placeOf(about('exam.published', exam), somebody([]))).toBeUndefined()
  })

  test('leads who works here and is a parent to the child where it is told to families alone', () => {
    const both = somebody(['groups.read', 'attendance.read', 'exams.read', 'students.read'], 'teacher', 'guardian')
    expect(placeOf(about('exam.published', { examId: 'e', groupId: 'g' }), both)).toMatch(/^\/open\?/)
    expect(placeOf(about('session.given', { sessionId: 's', groupId: 'g' }), both)).toBe('/sessions/s')
  })

  test('stands at an address of the map, whatever is in an id', () => {
    expect(SCREENS.map(({ path }) => path)).toContain('/open')
    expect(openPath('exam.published', { examId: 'a&b=c' })).toBe('/open?about=exam.published&examId=a%26b%3Dc')
  })
})

/** What a notification of each text names, and where it leads whoever reads it; or why it leads nowhere. */
const WALK: Readonly<Record<DefaultKey, { names: readonly string[]; staff?: string; family?: string; why?: string }>> =
  {
    'student.absent': { names: ['studentId', 'sessionId', 'groupId'], family: '/open' },
    'invoice.issued': { names: ['invoiceId', 'studentId'], family: '/open' },
    'invoice.overdue': { names: ['invoiceId', 'studentId'], staff: '/invoices/:id', family: '/open' },
    'invoice.reminder_requested': { names: ['invoiceId', 'studentId'], family: '/open' },
    'payment.recorded': { names: ['paymentId', 'invoiceId', 'studentId'], family: '/open' },
    'receipt.sent': { names: ['receiptId'], staff: '/receipts/:id', family: '/open' },
    'cheque.bounced': { names: ['chequeId'], staff: '/cheques', family: '/open' },
    'session.cancelled': { names: ['sessionId', 'groupId'], staff: '/sessions/:id', family: '/open' },
    'session.added': { names: ['sessionId', 'groupId'], staff: '/sessions/:id', family: '/open' },
    'session.moved': { names: ['sessionId', 'groupId'], staff: '/sessions/:id', family: '/open' },
    'session.given': { names: ['sessionId', 'groupId'], staff: '/sessions/:id' },
    'group.lessons_changed': { names: ['groupId'], staff: '/groups/:id', family: '/open' },
    'group.continues': { names: [], family: '/children' },
    'place.offered': { names: ['studentId', 'groupId'], family: '/open' },
    'closure.announced': { names: [], staff: '/closures', family: '/today' },
    'closures.announced': { names: [], staff: '/closures', family: '/today' },
    'closure.lifted': { names: [], staff: '/closures', family: '/today' },
    'cover.given': { names: [], staff: '/week' },
    'cover.lifted': { names: [], staff: '/week' },
    'cover.announced': { names: [], staff: '/week', family: '/today' },
    'attendance.corrected': { names: ['studentId', 'sessionId', 'groupId'], family: '/open' },
    'exam.published': { names: ['examId', 'groupId'], staff: '/groups/:id/gradebook/:examId', family: '/open' },
    'progress_report.sent': { names: ['progressReportId', 'studentId'], family: '/open' },
    'progress_reports.submitted': { names: ['groupId'], staff: '/progress-reports' },
    'progress_report.returned': { names: ['progressReportId'], staff: '/progress-reports/:id' },
    'lead.created': { names: ['leadId'], staff: '/leads/:id' },
    'leads.summary': { names: [], staff: '/leads' },
    'subscription.expiring': { names: ['subscriptionId'], why: 'plans are the platform’s, and have no page here' },
    'tenant.locked': { names: ['subscriptionId'], why: 'while it is locked no page opens but the one that says so' },
    'webhook_endpoint.disabled': { names: ['endpointId'], staff: '/settings/webhooks/:id' },
    'account.unlinked': { names: ['recordId'], why: 'the record is not theirs any more' },
    'mails.stuck': { names: [], staff: '/settings/mail' },
    'details.proposed': { names: [], staff: '/proposals' },
    'details.accepted': { names: ['studentId'], family: '/open' },
    'details.declined': { names: ['studentId'], family: '/open' },
    'update.available': { names: [], staff: '/settings/updates' },
    'update.installed': { names: [], staff: '/settings/updates' },
    'https.failed': { names: [], staff: '/settings/network' },
    'update.failed': { names: [], staff: '/settings/updates' },
    'online_payment.attention': { names: ['onlinePaymentId', 'invoiceId'], staff: '/invoices/:id' },
    message: { names: [], why: 'it says all that there is to it' },
  }

describe('every text leads somewhere, or says why not', () => {
  const owner = { ...somebody([], 'owner'), can: () => true } as ReturnType<typeof somebody>
  const fits = (address: string | undefined, path: string) =>
    address?.split('?')[0]?.replaceAll(/\/(x-[a-zA-Z]+)/g, '/:id') === path.replaceAll(/:\w+/g, ':id')

  test.each(DEFAULT_KEYS)('%s', (key) => {
    const { names, staff, family, why } = WALK[key]
    const told = about(key, Object.fromEntries(names.map((name) => [name, `x-${name}`])))
    const [forStaff, forFamily] = [placeOf(told, owner), placeOf(told, parent)]
    if (why !== undefined) {
      expect([forStaff, key === 'message' ? forFamily : undefined]).toEqual([undefined, undefined])
      return
    }
    if (staff !== undefined) expect([forStaff, fits(forStaff, staff)]).toEqual([forStaff, true])
    if (family !== undefined) expect([forFamily, fits(forFamily, family)]).toEqual([forFamily, true])
    expect(staff ?? family).toBeDefined()
  })
})
