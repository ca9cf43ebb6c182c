import { openPath } from '../../../shared/open-path.ts'
import type { Path } from '../../map.ts'
import { isOfFamily, mayOpen } from '../../shell/navigation.ts'

/** What a notification is about: the key of its text, and the ids of records by name. */
export interface About {
  templateKey: string
  payload: Readonly<Record<string, string>>
}

type Reader = Parameters<typeof mayOpen>[1]

/** Which page shows staff the record that a notification names; the first that is there. */
const PLACES: readonly { ids: readonly string[]; path: Path; of: (...ids: string[]) => string }[] = [
  { ids: ['progressReportId'], path: '/progress-reports/:id', of: (id) => `/progress-reports/${id}` },
  { ids: ['sessionId'], path: '/sessions/:id', of: (id) => `/sessions/${id}` },
  {
    ids: ['groupId', 'examId'],
    path: '/groups/:id/gradebook/:examId',
    of: (id, examId) => `/groups/${id}/gradebook/${examId}`,
  },
  { ids: ['leadId'], path: '/leads/:id', of: (id) => `/leads/${id}` },
  { ids: ['invoiceId'], path: '/invoices/:id', of: (id) => `/invoices/${id}` },
  { ids: ['receiptId'], path: '/receipts/:id', of: (id) => `/receipts/${id}` },
  { ids: ['studentId'], path: '/students/:id', of: (id) => `/students/${id}` },
  { ids: ['groupId'], path: '/groups/:id', of: (id) => `/groups/${id}` },
  { ids: ['endpointId'], path: '/settings/webhooks/:id', of: (id) => `/settings/webhooks/${id}` },
]

/** Where the text says more than the records that it names. */
const BY_TEXT: Readonly<Record<string, { path: Path; place: string }>> = {
  'progress_reports.submitted': { path: '/progress-reports', place: '/progress-reports?state=submitted' },
  'details.proposed': { path: '/proposals', place: '/proposals' },
  'leads.summary': { path: '/leads', place: '/leads' },
  'update.available': { path: '/settings/updates', place: '/settings/updates' },
  'update.installed': { path: '/settings/updates', place: '/settings/updates' },
  'update.failed': { path: '/settings/updates', place: '/settings/updates' },
  'https.failed': { path: '/settings/network', place: '/settings/network' },
  'mails.stuck': { path: '/settings/mail', place: '/settings/mail' },
  'cover.given': { path: '/week', place: '/week' },
  'cover.lifted': { path: '/week', place: '/week' },
  'cover.announced': { path: '/week', place: '/week' },
  'closure.announced': { path: '/closures', place: '/closures' },
  'closures.announced': { path: '/closures', place: '/closures' },
  'closure.lifted': { path: '/closures', place: '/closures' },
  'cheque.bounced': { path: '/cheques', place: '/cheques?status=bounced' },
}

/** What names no record of a child: where families see it all the same. */
const FOR_ALL_CHILDREN: Readonly<Record<string, Path>> = {
  'closure.announced': '/today',
  'closures.announced': '/today',
  'closure.lifted': '/today',
  'cover.announced': '/today',
  'group.continues': '/children',
}

/** Where a family sees what names no record; undefined: it names one, or it is nothing of theirs. */
export const familyPlaceOf = (templateKey: string): string | undefined => FOR_ALL_CHILDREN[templateKey]

/** Told to families alone: who also works here reads it as a parent. */
const FOR_FAMILIES: ReadonlySet<string> = new Set([
  'student.absent',
  'attendance.corrected',
  'invoice.issued',
  'invoice.overdue',
  'invoice.reminder_requested',
  'payment.recorded',
  'receipt.sent',
  'cheque.bounced',
  'exam.published',
  'progress_report.sent',
  'place.offered',
  'group.continues',
  'details.accepted',
  'details.declined',
])

/** The address of what a notification is about, for staff; undefined: no page shows it to this person. */
export const staffPlaceOf = ({ templateKey, payload }: About, me: Reader): string | undefined => {
  if (isOfFamily(me) && FOR_FAMILIES.has(templateKey)) return undefined
  const named = BY_TEXT[templateKey]
  if (named) return mayOpen(named.path, me) ? named.place : undefined
  const place = PLACES.find(({ ids, path }) => ids.every((id) => payload[id] !== undefined) && mayOpen(path, me))
  return place?.of(...place.ids.map((id) => payload[id] as string))
}

const ofFamily = ({ templateKey, payload }: About): string | undefined =>
  familyPlaceOf(templateKey) ?? (Object.keys(payload).length > 0 ? openPath(templateKey, payload) : undefined)

/** The address of what a notification is about: for families the page that finds it; undefined: there is none. */
export const placeOf = (about: About, me: Reader): string | undefined =>
  staffPlaceOf(about, me) ?? (isOfFamily(me) ? ofFamily(about) : undefined)
