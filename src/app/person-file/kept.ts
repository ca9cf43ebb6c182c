import type { Tables } from '#kernel/contract/tables.ts'
import type { Heads } from '#http/list-files/heads/en/index.ts'
import type { PersonFileWords } from './words/en.ts'

/** What the institute keeps of a person: of which tables, by which column, and what of it people read. */

export type PersonKind = 'student' | 'guardian'

export interface KeptTable {
  table: keyof Tables
  /** Names the person, the account of the person, or a row of `of`. */
  column: string
  /** Undefined: the column names the person. */
  of?: 'account' | keyof Tables
  /** Only rows with this value of a column. */
  where?: readonly [column: string, value: string]
  /** What says more of others than of the person. */
  without?: readonly string[]
  /** What the page shows of it, with the words over it; a table without these stands in the JSON alone. */
  shown?: Readonly<Record<string, keyof Heads>>
}

/** Tables that stand on the page, with their title. */
export type TitledTable = keyof PersonFileWords['titles']

const fileBy = (column: string): KeptTable => ({
  table: 'file',
  column,
  without: ['uploaded_by_user_id'],
  shown: { original_name: 'originalName', size_bytes: 'sizeBytes', created_at: 'createdAt' },
})

const ACCOUNT: readonly KeptTable[] = [
  {
    table: 'user',
    column: 'id',
    of: 'account',
    shown: { email: 'email', full_name: 'name', phone: 'phone', locale: 'language', created_at: 'createdAt' },
  },
  { ...fileBy('user_id'), of: 'account' },
  // Some are about others, or stand among those about the person.
  { table: 'proposed_change', column: 'by_user_id', of: 'account', without: ['by_user_id', 'decided_by_user_id'] },
  { table: 'membership', column: 'user_id', of: 'account' },
  { table: 'role_assignment', column: 'membership_id', of: 'membership' },
  { table: 'notification_preference', column: 'user_id', of: 'account' },
]

const MESSAGE = {
  channel: 'channel',
  title: 'subject',
  body: 'body',
  status: 'status',
  sent_at: 'sentAt',
  read_at: 'readAt',
} as const

const messagesTo = (column: string, of?: 'account'): readonly KeptTable[] => [
  // Which of the staff wrote it, and how it was sent, is the institute's own.
  {
    table: 'notification',
    column,
    ...(of && { of }),
    without: ['sent_by_user_id', 'provider_values', 'tries', 'generation'],
    shown: MESSAGE,
  },
  {
    table: 'notification_call',
    column,
    ...(of && { of }),
    without: ['told_by_user_id', 'told_by_name'],
    shown: { title: 'subject', body: 'body', status: 'status', told_at: 'toldAt' },
  },
]

const INVOICE = {
  number: 'number',
  status: 'status',
  issue_date: 'issueDate',
  due_date: 'dueDate',
  total_minor: 'total',
  paid_minor: 'paid',
  currency: 'currency',
  notes: 'notes',
} as const

/** Invoices with all that hangs on them. Their papers as they were handed out name the payer. */
const invoicesBy = (column: string, papers: 'with papers' | 'without papers'): readonly KeptTable[] => {
  const without = papers === 'with papers' ? [] : ['kept', 'payer_guardian_id']
  return [
    { table: 'invoice', column, without, shown: INVOICE },
    {
      table: 'invoice_line',
      column: 'invoice_id',
      of: 'invoice',
      shown: { invoice_number: 'invoiceNumber', description: 'description', total_minor: 'total' },
    },
    {
      table: 'payment',
      column: 'invoice_id',
      of: 'invoice',
      without: ['received_by_user_id'],
      shown: {
        invoice_number: 'invoiceNumber',
        amount_minor: 'amount',
        currency: 'currency',
        method: 'method',
        reference: 'reference',
        reason: 'reason',
        received_at: 'receivedAt',
      },
    },
    {
      table: 'credit_note',
      column: 'invoice_id',
      of: 'invoice',
      without: ['by_user_id', ...(papers === 'with papers' ? [] : ['kept'])],
      shown: { number: 'number', amount_minor: 'amount', reason: 'reason', issue_date: 'issueDate' },
    },
  ]
}

/** The account on which their money stands, and what moved on it. */
const moneyBy = (column: 'student_id' | 'guardian_id'): readonly KeptTable[] => [
  { table: 'payer_account', column, shown: { credit_minor: 'credit', currency: 'currency' } },
  {
    table: 'credit_entry',
    column: 'account_id',
    of: 'payer_account',
    without: ['by_user_id'],
    shown: { kind: 'kind', amount_minor: 'amount', reference: 'reference', reason: 'reason', at: 'date' },
  },
  {
    table: 'refund',
    column,
    without: ['by_user_id'],
    shown: {
      number: 'number',
      amount_minor: 'amount',
      currency: 'currency',
      method: 'method',
      reason: 'reason',
      paid_at: 'paidAt',
    },
  },
  {
    table: 'cheque',
    column,
    without: ['by_user_id'],
    shown: {
      bank: 'bank',
      bank_branch: 'branch',
      account: 'account',
      number: 'number',
      amount_minor: 'amount',
      currency: 'currency',
      due_on: 'dueOn',
      status: 'status',
      reason: 'reason',
    },
  },
  { table: 'cheque_part', column: 'cheque_id', of: 'cheque' },
  { table: 'cheque_entry', column: 'cheque_id', of: 'cheque' },
  {
    table: 'discount',
    column,
    shown: { label: 'label', kind: 'kind', valid_from: 'validFrom', valid_to: 'validTo' },
  },
]

/** What there is of students and of guardians alike. */
const ofBoth = (column: 'student_id' | 'guardian_id', kind: PersonKind): readonly KeptTable[] => [
  fileBy(column),
  {
    table: 'proposed_change',
    column,
    without: ['by_user_id', 'decided_by_user_id'],
    shown: { proposed: 'fields', note: 'note', status: 'status', remark: 'remark', created_at: 'createdAt' },
  },
  ...messagesTo('recipient_id'),
  ...messagesTo('recipient_id', 'account'),
  { table: 'person_invitation', column },
  { table: 'merged_record', column, shown: { record: 'before', merged_at: 'updatedAt' } },
  ...ACCOUNT,
  {
    table: 'audit_entry',
    column: 'entity_id',
    // Not that somebody took a file of them: each file would then differ from the one before.
    where: ['entity_type', kind],
    // Who of the staff did it, from where, is theirs.
    without: ['actor_user_id', 'ip', 'request_id', 'metadata'],
    shown: { created_at: 'date', action: 'action', before: 'before', after: 'after' },
  },
]

const LEAD = {
  status: 'status',
  source: 'source',
  course_interest: 'courseInterest',
  message: 'message',
  note: 'note',
  created_at: 'createdAt',
} as const

const OF_STUDENT: readonly KeptTable[] = [
  {
    table: 'student',
    column: 'id',
    shown: {
      student_number: 'studentNumber',
      first_name: 'firstName',
      last_name: 'lastName',
      status: 'status',
      birth_date: 'birthDate',
      national_id: 'nationalId',
      phone: 'phone',
      email: 'email',
      address: 'address',
      notes: 'notes',
      created_at: 'createdAt',
    },
  },
  {
    table: 'guardian_link',
    column: 'student_id',
    shown: {
      guardian_name: 'guardianName',
      relationship: 'relationship',
      is_primary: 'isPrimary',
      is_payer: 'isPayer',
    },
  },
  { table: 'student_pause', column: 'student_id', shown: { paused_from: 'from', paused_to: 'to' } },
  {
    table: 'enrollment',
    column: 'student_id',
    shown: {
      group_name: 'groupName',
      status: 'status',
      enrolled_at: 'enrolledAt',
      dropped_at: 'droppedAt',
      drop_reason: 'reason',
    },
  },
  {
    table: 'waiting_entry',
    column: 'student_id',
    shown: { group_name: 'groupName', note: 'note', created_at: 'createdAt' },
  },
  {
    table: 'attendance',
    column: 'student_id',
    shown: { session_start: 'scheduledStart', status: 'attendance', minutes_late: 'minutesLate', note: 'note' },
  },
  {
    table: 'announced_absence',
    column: 'student_id',
    without: ['announced_by_user_id'],
    shown: { from_date: 'from', to_date: 'to', reason: 'reason' },
  },
  {
    table: 'exam_result',
    column: 'student_id',
    without: ['graded_by_user_id'],
    shown: { exam_title: 'exam', score: 'score', is_absent: 'isAbsent', remarks: 'remarks' },
  },
  {
    table: 'progress_report',
    column: 'student_id',
    without: ['sent_by_user_id', 'submitted_by_user_id'],
    shown: {
      period_start: 'periodStart',
      period_end: 'periodEnd',
      average: 'average',
      comment: 'comment',
      sent_at: 'sentAt',
    },
  },
  { ...fileBy('progress_report_id'), of: 'progress_report' },
  {
    table: 'course_enrollment',
    column: 'student_id',
    without: ['granted_by_user_id'],
    shown: { course_name: 'courseName', status: 'status', granted_at: 'grantedAt', ended_at: 'endedAt' },
  },
  { table: 'lesson_completion', column: 'course_enrollment_id', of: 'course_enrollment' },
  ...invoicesBy('student_id', 'without papers'),
  ...moneyBy('student_id'),
  { table: 'fee_charge', column: 'student_id' },
  { table: 'imported_balance', column: 'student_id' },
  { table: 'lead', column: 'student_id', without: ['guardian', 'guardian_id', 'assigned_to_user_id'], shown: LEAD },
  ...ofBoth('student_id', 'student'),
]

const OF_GUARDIAN: readonly KeptTable[] = [
  {
    table: 'guardian',
    column: 'id',
    shown: {
      first_name: 'firstName',
      last_name: 'lastName',
      phone: 'phone',
      email: 'email',
      national_id: 'nationalId',
      address: 'address',
      preferred_locale: 'language',
      created_at: 'createdAt',
    },
  },
  {
    table: 'guardian_link',
    column: 'guardian_id',
    shown: { student_name: 'studentName', relationship: 'relationship', is_primary: 'isPrimary', is_payer: 'isPayer' },
  },
  ...invoicesBy('payer_guardian_id', 'with papers'),
  {
    table: 'receipt',
    column: 'payer_guardian_id',
    without: ['original_to'],
    shown: { number: 'number', method: 'method', received_at: 'receivedAt' },
  },
  { table: 'receipt_payment', column: 'receipt_id', of: 'receipt' },
  { table: 'replaced_invoice', column: 'payer_guardian_id' },
  {
    table: 'online_payment',
    column: 'payer_guardian_id',
    without: ['page_id', 'page_url'],
    shown: { state: 'state', amount_minor: 'amount', currency: 'currency', created_at: 'createdAt' },
  },
  ...moneyBy('guardian_id'),
  {
    table: 'announced_absence',
    column: 'by_guardian_id',
    without: ['announced_by_user_id'],
    shown: { from_date: 'from', to_date: 'to', reason: 'reason' },
  },
  { table: 'lead', column: 'guardian_id', without: ['assigned_to_user_id'], shown: LEAD },
  ...ofBoth('guardian_id', 'guardian'),
]

export const KEPT: Readonly<Record<PersonKind, readonly KeptTable[]>> = { student: OF_STUDENT, guardian: OF_GUARDIAN }
