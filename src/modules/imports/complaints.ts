import { ApiError, Forbidden, issuesOf } from '#kernel/values/errors.ts'

/** Why a row, or a whole file, is refused. */
export const REASONS = [
  // Of the file
  'file_gone',
  'not_a_table',
  'old_workbook',
  'empty_file',
  'too_many_rows',
  'too_many_columns',
  'too_large',
  'reader_ended',
  'column_missing',
  'column_unknown',
  'permission_missing',
  'no_longer_allowed',
  'rows_refused',
  'server_error',
  // Of a value
  'formula_without_value',
  'missing',
  'too_long',
  'not_valid',
  'not_a_date',
  'ambiguous_date',
  'in_future',
  'not_a_phone',
  'not_an_email',
  'not_an_amount',
  'negative_amount',
  'not_a_choice',
  'wrong_number',
  // Of the record
  'identity_missing',
  'number_of_another',
  'ambiguous',
  'too_many_of_one',
  'unknown_student',
  'unknown_group',
  'unknown_branch',
  'out_of_reach',
  'balance_exists',
  'quota_exceeded',
  'guardian_phone_taken',
  'guardian_name_differs',
  'own_account_link',
  'status_move_refused',
  'student_numbers_used_up',
  'cannot_enroll',
  'group_full',
  'sums_full',
  'refused',
] as const
export type Reason = (typeof REASONS)[number]

/** What is wrong, and where. */
export interface Complaint {
  /** The number of the row in the file; null: the whole file. */
  row: number | null
  /** The head of the column; null: the file has none for the field. */
  column: string | null
  /** What is wrong, or missing; null: it is about none. */
  field: string | null
  /** What stands there. */
  value: string | null
  reason: Reason
}

/** What there is to tell of a row that was not refused. */
export const NOTES = ['totals', 'guardian_without_phone'] as const

export type Note = Omit<Complaint, 'row' | 'reason'> & { row: number; reason: (typeof NOTES)[number] }

/** The most that the API shows; the file of refused rows has all. */
export const SHOWN_ERRORS = 100

const isReason = (name: string): name is Reason => (REASONS as readonly string[]).includes(name)

/** The reason by which a refusal of another part of the program is told. */
export const reasonNamed = (name: string): Reason => (isReason(name) ? name : 'refused')

/** Refuses a row: nothing of it is kept. */
export class RowRefused extends Error {
  readonly field: string | null
  readonly reason: Reason

  constructor(reason: Reason, field: string | null = null) {
    super(reason)
    this.name = 'RowRefused'
    this.reason = reason
    this.field = field
  }
}

/** What the server cannot do now is no fault of the row. */
const isOfRow = ({ spec: { code } }: ApiError): boolean => code !== 'RATE_LIMITED' && code !== 'INTERNAL_ERROR'

const reasonIn = ({ spec: { code, name } }: ApiError): Reason => {
  if (code === 'QUOTA_EXCEEDED') return 'quota_exceeded'
  if (code === 'NOT_FOUND') return 'out_of_reach'
  if (name === Forbidden.spec.name) return 'permission_missing'
  return code === 'VALIDATION_ERROR' && name === 'validation_error' ? 'not_valid' : reasonNamed(name)
}

/** What is wrong with a row that was refused, and its field. @throws what is no fault of the row */
export const complaintOfError = (error: unknown): Pick<Complaint, 'field' | 'reason'> => {
  if (error instanceof RowRefused) return { field: error.field, reason: error.reason }
  if (!(error instanceof ApiError && isOfRow(error))) throw error
  return { field: issuesOf(error)[0]?.path[0] ?? null, reason: reasonIn(error) }
}

/** Ends an import that cannot go on. */
export class ImportFailed extends Error {
  readonly complaints: readonly Omit<Complaint, 'row'>[]

  constructor(
    reason: Reason,
    where: readonly Partial<Pick<Complaint, 'column' | 'field'>>[] = [{ column: null, field: null }],
  ) {
    super(reason)
    this.name = 'ImportFailed'
    this.complaints = where.map(({ column = null, field = null }) => ({ column, field, value: null, reason }))
  }
}
