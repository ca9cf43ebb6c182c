import type { Schemas } from '../../api/schemas.ts'
import { kindOf, verbOf } from '../../../shared/audit-acts.ts'

export type Entry = Schemas['AuditEntry']

const PAGES: Readonly<Partial<Record<string, (id: string) => string>>> = {
  student: (id) => `/students/${id}`,
  guardian: (id) => `/guardians/${id}`,
  group: (id) => `/groups/${id}`,
  course: (id) => `/courses/${id}`,
  invoice: (id) => `/invoices/${id}`,
  receipt: (id) => `/receipts/${id}`,
  session: (id) => `/sessions/${id}`,
  lead: (id) => `/leads/${id}`,
  progress_report: (id) => `/progress-reports/${id}`,
  role: (id) => `/settings/roles/${id}`,
  webhook_endpoint: (id) => `/settings/webhooks/${id}`,
  api_key: () => '/settings/keys',
  branch: () => '/settings/branches',
  settings: () => '/settings/institute',
  membership: () => '/settings/people',
  invitation: () => '/settings/people',
}

/** By what a record that has no page of its own names one that has, in the order in which it is looked for. */
const BELONGS = [
  ['invoiceId', 'invoice'],
  ['studentId', 'student'],
  ['groupId', 'group'],
  ['guardianId', 'guardian'],
  ['courseId', 'course'],
] as const

/** The page of the record, or of the one that it belongs to; undefined: there is none, or it is gone. */
export const pageOf = (entry: Entry): string | undefined => {
  const { entityId, before, after } = entry
  const own = PAGES[kindOf(entry)]
  if (own) return entityId === null || verbOf(entry) === 'remove' ? undefined : own(entityId)
  const record: Readonly<Record<string, unknown>> = { ...before, ...after }
  const [field, kind] = BELONGS.find(([name]) => typeof record[name] === 'string') ?? []
  return field === undefined ? undefined : PAGES[kind ?? '']?.(record[field] as string)
}
