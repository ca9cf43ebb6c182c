import { describe, expect, test } from 'vitest'
import { SCREENS } from '../../../src/console/map.ts'
import { placeOf, staffPlaceOf } from '../../../src/console/records/notification/place-of.ts'
import type { mayOpen } from '../../../src/console/shell/navigation.ts'
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
    expect(placeOf(about('closure.announced'), parent)).toBeUndefined()
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
