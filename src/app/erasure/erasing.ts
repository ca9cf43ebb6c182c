import type { Tables } from '#kernel/contract/tables.ts'
import type { PersonKind } from '#app/person-file/kept.ts'

/**
 * What the erasure of a person does with the rows that are kept of them, by table: those to which the ways of
 * `person-file/kept.ts` lead. A test holds the two together: each table of that list stands here, and of each table whose
 * rows stay, each column that has words.
 */

export type Erasing =
  /** Done by the module of people, or with the account, or in the log. */
  | 'record'
  | 'account'
  | 'log'
  /** The rows go. */
  | 'deleted'
  /** Tax law asks that books and papers stay as they were written. */
  | 'books'
  /** The rows stay for the figures, without what is personal in them. */
  | {
      /** What stands in these columns from then on. */
      emptied: Readonly<Record<string, unknown>>
      /** Columns with words that say nothing of the person. */
      stays: readonly string[]
    }

type OfTables = Readonly<Partial<Record<keyof Tables, Erasing>>>

const OF_BOTH: OfTables = {
  guardian_link: 'record',
  user: 'account',
  membership: 'account',
  role_assignment: 'account',
  notification_preference: 'account',
  // With the membership that was invited.
  person_invitation: 'account',
  audit_entry: 'log',
  invoice: 'books',
  invoice_line: 'books',
  payment: 'books',
  credit_note: 'books',
  payer_account: 'books',
  credit_entry: 'books',
  refund: 'books',
  cheque: 'books',
  cheque_part: 'books',
  cheque_entry: 'books',
  discount: 'deleted',
  file: 'deleted',
  proposed_change: 'deleted',
  notification: 'deleted',
  notification_call: 'deleted',
  merged_record: { emptied: { record: {} }, stays: ['student_number'] },
}

export const ERASING: Readonly<Record<PersonKind, OfTables>> = {
  student: {
    ...OF_BOTH,
    student: 'record',
    student_pause: 'deleted',
    enrollment: { emptied: { drop_reason: null }, stays: ['status', 'currency'] },
    waiting_entry: 'deleted',
    attendance: { emptied: { note: null }, stays: ['status'] },
    announced_absence: 'deleted',
    exam_result: { emptied: { remarks: null }, stays: [] },
    progress_report: 'deleted',
    course_enrollment: { emptied: { drop_reason: null }, stays: ['status', 'currency'] },
    lesson_completion: { emptied: {}, stays: [] },
    fee_charge: { emptied: {}, stays: ['month', 'term_starts_on'] },
    imported_balance: { emptied: {}, stays: ['currency'] },
    lead: 'deleted',
  },
  guardian: {
    ...OF_BOTH,
    guardian: 'record',
    receipt: 'books',
    receipt_payment: 'books',
    replaced_invoice: 'books',
    online_payment: 'books',
    // It is the child's, and says who announced it.
    announced_absence: { emptied: { by_guardian_id: null }, stays: ['reason', 'from_date', 'to_date'] },
    // It is the child's, and says who asked.
    lead: {
      emptied: { guardian: null, guardian_id: null },
      stays: [
        'source',
        'status',
        'first_name',
        'last_name',
        'phone',
        'email',
        'course_interest',
        'message',
        'locale',
        'note',
        'search_text',
      ],
    },
  },
}

/** What stays without a name, for the figures. */
export const STAYS = ['enrollment', 'attendance', 'exam_result', 'course_enrollment'] as const

/** What goes, as far as an office knows it by a word of its own. */
export const GOES = [
  'guardian_link',
  'student_pause',
  'announced_absence',
  'progress_report',
  'discount',
  'lead',
  'file',
  'proposed_change',
  'notification',
] as const
