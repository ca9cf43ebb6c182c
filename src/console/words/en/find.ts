import { isolate } from '../../../shared/isolate.ts'
import { plural } from '../plural.ts'

const many = plural('en')

/** The search over everything. */
export const find = {
  title: 'Find',
  label: 'Find a person, a group, a number…',
  hint: 'Type two letters of a name, or digits of a phone number, a student number or an invoice.',
  recent: 'Looked at lately',
  results: 'Results',
  none: (typed: string) => `Nothing fits “${isolate(typed)}”.`,
  noneHint: 'Try fewer letters, or part of the phone number.',
  more: 'There are more. Type another letter to narrow them.',
  count: (count: number) => many(count, { one: '1 result', other: `${count} results` }),
  types: {
    student: 'Students',
    guardian: 'Guardians',
    staff: 'Staff',
    group: 'Groups',
    course: 'Courses',
    invoice: 'Invoices',
    receipt: 'Receipts',
    credit_note: 'Credit notes',
    refund: 'Refunds',
    lead: 'Enquiries',
  },
}
