import * as v from 'valibot'
import { count, currency, id, integer, list, Money, orNull, pageQuery, text, ts, uuid } from '#kernel/schema.ts'
import { Invoice, MAX_INVOICE_TOTAL_MINOR } from '#modules/billing/index.ts'
import { FEE_KINDS, RECURRENCES } from './tables.ts'

const kind = v.picklist(FEE_KINDS)
const recurrence = v.picklist(RECURRENCES)

export const FeeSchedule = v.object({
  id,
  name: v.string(),
  kind,
  amount: Money,
  recurrence,
  courseId: orNull(id),
  groupId: orNull(id),
  dueDay: orNull(v.number()),
  isActive: v.boolean(),
  createdAt: ts,
  updatedAt: ts,
})
export type FeeSchedule = v.InferOutput<typeof FeeSchedule>

const writable = v.object({
  name: text(150),
  kind,
  amountMinor: integer(0, MAX_INVOICE_TOTAL_MINOR),
  currency,
  recurrence,
  courseId: v.nullable(uuid),
  groupId: v.nullable(uuid),
  dueDay: v.nullable(integer(1, 31)),
  isActive: v.boolean(),
})

export const NewFeeSchedule = v.object({
  ...writable.entries,
  courseId: v.optional(writable.entries.courseId),
  groupId: v.optional(writable.entries.groupId),
  dueDay: v.optional(writable.entries.dueDay),
  isActive: v.optional(v.boolean(), true),
})
export type NewFeeSchedule = v.InferOutput<typeof NewFeeSchedule>

export const FeeScheduleChanges = v.partial(writable)
export type FeeScheduleChanges = v.InferOutput<typeof FeeScheduleChanges>

export const FeeScheduleQuery = pageQuery({ kind: v.optional(kind), isActive: v.optional(v.boolean()) })

const month = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])|2200-(?:0[1-9]|1[0-2]))$/, 'Must be a month as YYYY-MM.'),
)

export const NewBillingRun = v.object({
  month,
  feeScheduleIds: v.optional(
    v.pipe(
      list(uuid),
      v.minLength(1, 'Must name a fee schedule, or be left out.'),
      v.maxLength(200, 'Must name at most 200 fee schedules.'),
    ),
  ),
  branchId: v.optional(uuid),
  dryRun: v.optional(v.boolean(), false),
})
export type NewBillingRun = v.InferOutput<typeof NewBillingRun>

/** Why a run does not bill a student by a fee schedule. */
export const SKIP_REASONS = [
  'already_billed',
  'invoiced_by_hand',
  'no_term',
  'other_currency',
  'invoice_too_large',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const BillingRun = v.object({
  id: orNull(id),
  month: v.string(),
  dryRun: v.boolean(),
  created: count,
  skipped: list(v.object({ studentId: id, feeScheduleId: id, reason: v.picklist(SKIP_REASONS) })),
  invoices: list(v.object({ ...Invoice.entries, id: orNull(id), number: orNull(v.string()) })),
})
export type BillingRun = v.InferOutput<typeof BillingRun>
