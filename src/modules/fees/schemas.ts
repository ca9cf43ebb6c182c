import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  count,
  currency,
  date,
  day,
  id,
  integer,
  list,
  Money,
  orNull,
  pageQuery,
  title,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { Invoice, invoiceWords, MAX_INVOICE_TOTAL_MINOR } from '#modules/billing/index.ts'
import { CHARGED_BY } from './charged-by.ts'
import { FEE_KINDS, FEE_PRICES, PRORATIONS, RECURRENCES } from './tables.ts'

const words = {
  kind: 'What it is charged for: being enrolled in a group, access to a video course, a thing once, or the registration.',
  amount: 'What it costs.',
  amountMinor: 'What it costs, in the smallest unit of the currency.',
  currency: 'Any of these, whatever the institute’s own is: its drafts are in it.',
  recurrence: 'How often it is charged.',
  courseId: 'The course whose students are charged; null: none is named.',
  groupId: 'The group whose students are charged; null: none is named.',
  dueDay:
    'The day of the billed month on which it is due, at the latest its last; null: as the setting invoiceDueDays says.',
  isActive: 'Whether it is charged, by what `chargedBy` says.',
  chargedBy:
    'What charges it by itself: `run`, each billing run; `registration`, once, the first invoice of whoever is registered to one of its groups; `hand`, nothing, but for invoices made by hand.',
  price:
    'Whose price runs charge: `schedule`, the amount of the schedule, but for enrollments whose own price was given; `enrollment`, always what the enrollment says.',
  validFrom: 'The first day on which it is charged for; null: from the beginning.',
  validTo: 'The last day on which it is charged for; null: without an end.',
  proration:
    'What a part of a month costs: `none`, all of it; `lessons`, as many of the month’s lessons of the group as the student belongs to it, those that somebody cancelled left out; one that closed days took away is paid for where these are billed, and else is a lesson of the month that nobody pays for; `days`, as many of the days.',
}

const kind = v.picklist(FEE_KINDS)
const recurrence = v.picklist(RECURRENCES)

export const FeeSchedule = named(
  'FeeSchedule',
  v.object({
    id,
    name: v.string(),
    kind,
    amount: Money,
    recurrence,
    courseId: orNull(id),
    groupId: orNull(id),
    dueDay: orNull(count),
    isActive: v.boolean(),
    price: v.picklist(FEE_PRICES),
    validFrom: orNull(day),
    validTo: orNull(day),
    proration: v.picklist(PRORATIONS),
    chargedBy: v.picklist(CHARGED_BY),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type FeeSchedule = v.InferOutput<typeof FeeSchedule>

const writable = v.object({
  name: title(150),
  kind,
  amountMinor: integer(0, MAX_INVOICE_TOTAL_MINOR),
  currency,
  recurrence,
  courseId: v.nullable(uuid),
  groupId: v.nullable(uuid),
  dueDay: v.nullable(integer(1, 31)),
  isActive: v.boolean(),
  price: v.picklist(FEE_PRICES),
  validFrom: v.nullable(date),
  validTo: v.nullable(date),
  proration: v.picklist(PRORATIONS),
})

export const NewFeeSchedule = named(
  'NewFeeSchedule',
  v.object({
    ...writable.entries,
    courseId: v.optional(writable.entries.courseId),
    groupId: v.optional(writable.entries.groupId),
    dueDay: v.optional(writable.entries.dueDay),
    isActive: v.optional(v.boolean(), true),
    price: v.optional(writable.entries.price, 'schedule'),
    validFrom: v.optional(writable.entries.validFrom),
    validTo: v.optional(writable.entries.validTo),
    proration: v.optional(writable.entries.proration, 'none'),
  }),
  words,
)
export type NewFeeSchedule = v.InferOutput<typeof NewFeeSchedule>

export const FeeScheduleChanges = named('FeeScheduleChanges', v.partial(writable), words)
export type FeeScheduleChanges = v.InferOutput<typeof FeeScheduleChanges>

export const FeeConsequences = named(
  'FeeConsequences',
  v.object({
    chargedBy: v.picklist(CHARGED_BY),
    students: count,
    ownPrices: count,
    fromMonth: v.string(),
    example: orNull(
      named(
        'FeeExample',
        v.object({ of: v.picklist(['lessons', 'days']), count, all: count, full: Money, charged: Money }),
        {
          of: 'Of what it is a part.',
          count: 'How many of them somebody has who begins within the month.',
          all: 'How many the month has.',
          full: 'What the whole month costs.',
          charged: 'What this part costs.',
        },
      ),
    ),
  }),
  {
    chargedBy: words.chargedBy,
    students: 'How many students runs look at by the fee schedule as things are.',
    ownPrices: 'For how many of them a price of their own was agreed.',
    fromMonth: 'The first month that a run charges by it, as YYYY-MM: what was charged before stays.',
    example: 'What a part of that month costs, of a group of the fee schedule; null: a part costs as much as all.',
  },
)
export type FeeConsequences = v.InferOutput<typeof FeeConsequences>

export const FeeScheduleQuery = explained(pageQuery({ kind: v.optional(kind), isActive: v.optional(v.boolean()) }), {
  kind: 'Only fee schedules of this kind.',
  isActive: 'Only those that are in use, or only the others.',
})

export const month = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?:(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])|2200-(?:0[1-9]|1[0-2]))$/, 'Must be a month as YYYY-MM.'),
)

const runWords = {
  month: 'The billed month, as YYYY-MM.',
  feeScheduleIds: 'Only these fee schedules; all where it is left out.',
  branchId: 'Only students of this branch.',
  dryRun: 'true: nothing is kept, and the reply is what a run would make.',
  billAnyway:
    'Who is billed by which fee schedule though it may be billed already: the invoices that `mayBe` names were looked at.',
  created: 'How many invoices were made.',
  skipped: 'Who was not billed by which fee schedule.',
  uncharged: 'The fee schedules by which nobody is billed and nobody is skipped.',
  invoices: 'The drafts, by number.',
}

export const NewBillingRun = named(
  'NewBillingRun',
  v.object({
    month,
    feeScheduleIds: v.optional(
      v.pipe(
        list(uuid),
        v.minLength(1, 'Must name a fee schedule, or be left out.'),
        v.maxLength(200, 'Must name at most 200 fee schedules.'),
      ),
    ),
    branchId: v.optional(uuid),
    billAnyway: v.optional(
      v.pipe(
        list(
          named('BilledAnyway', v.object({ studentId: uuid, feeScheduleId: uuid }), {
            studentId: 'The student.',
            feeScheduleId: 'The fee schedule.',
          }),
        ),
        v.maxLength(2000, 'Must name at most 2000.'),
      ),
      [],
    ),
    dryRun: v.optional(v.boolean(), false),
  }),
  runWords,
)
export type NewBillingRun = v.InferOutput<typeof NewBillingRun>

/** Why a run does not bill a student by a fee schedule. */
export const SKIP_REASONS = [
  'paused',
  'group_cancelled',
  'group_over',
  'group_not_begun',
  'enrolled_later',
  'left_before',
  'already_billed',
  'invoiced_by_hand',
  'may_be_billed',
  'no_price',
  'no_term',
  'invoice_too_large',
  'sums_full',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Why a run has nothing to do with a fee schedule. */
const UNCHARGED_REASONS = ['inactive', 'at_registration', 'by_hand', 'not_in_month', 'nobody'] as const
export type UnchargedReason = (typeof UNCHARGED_REASONS)[number]

const MayBeBilled = named(
  'MayBeBilled',
  v.object({ invoiceId: id, invoiceNumber: v.string(), description: v.string(), amount: Money }),
  {
    invoiceId: 'The invoice on which it stands.',
    invoiceNumber: 'The number of the invoice.',
    description: 'What its line says.',
    amount: 'What the line comes to, before tax.',
  },
)

const skippedFields = {
  studentId: id,
  feeScheduleId: id,
  reason: v.picklist(SKIP_REASONS),
  mayBe: orNull(MayBeBilled),
}
const billedFields = { ...Invoice.entries, id: orNull(id), number: orNull(v.string()) }

/** What a run has come to, without the names of the students. */
export interface RunOutcome {
  skipped: v.InferOutput<v.ObjectSchema<typeof skippedFields, undefined>>[]
  invoices: v.InferOutput<v.ObjectSchema<typeof billedFields, undefined>>[]
  /** The fee schedules that have to do with somebody. */
  concerning: Set<string>
}

export const BillingRun = named(
  'BillingRun',
  v.object({
    id: orNull(id),
    month: v.string(),
    dryRun: v.boolean(),
    created: count,
    skipped: list(
      named('SkippedFee', v.object({ ...skippedFields, studentName: v.string() }), {
        studentName: 'The name of the student.',
        mayBe: 'The line that may be the same, where the reason is may_be_billed; null: the reason is another.',
        reason:
          'Why: all of the time the student pauses, the group is cancelled, over or has not begun, the student was enrolled later or left before; a run billed it before, it was invoiced by hand, another line may be the same, it costs nothing, no term has begun, it is too much for an invoice, or more than the institute’s sums can hold.',
      }),
    ),
    uncharged: list(
      named('UnchargedFee', v.object({ feeScheduleId: id, name: v.string(), reason: v.picklist(UNCHARGED_REASONS) }), {
        feeScheduleId: 'The fee schedule.',
        name: 'Its name.',
        reason:
          'Why: it is not active, the first invoice of whoever is registered charges it, it is charged by hand only, its days lie outside the month, or nobody is enrolled in its groups or has its course.',
      }),
    ),
    invoices: list(
      named('BilledInvoice', v.object({ ...billedFields, studentName: v.string() }), {
        ...invoiceWords,
        studentName: 'The name of the student.',
        id: 'The id of the invoice; null: of a dry run.',
        number: 'As of every invoice; null: of a dry run.',
      }),
    ),
  }),
  { ...runWords, id: 'The id of the run; null: of a dry run.' },
)
export type BillingRun = v.InferOutput<typeof BillingRun>

export const VoidedRun = named('VoidedRun', v.object({ id, voided: list(id), kept: list(id) }), {
  id: 'The run.',
  voided: 'The drafts that are void now.',
  kept: 'The invoices that are no drafts any more, and stay as they are.',
})
export type VoidedRun = v.InferOutput<typeof VoidedRun>

export const BillingRunQuery = explained(pageQuery({ month: v.optional(month) }), { month: 'Only runs of this month.' })

export const BillingRunSummary = named(
  'BillingRunSummary',
  v.object({
    id,
    month: v.string(),
    createdAt: ts,
    finishedAt: orNull(ts),
    billed: count,
    drafts: count,
    voided: count,
    totals: list(Money),
    skipped: orNull(
      list(
        named('SkippedCount', v.object({ reason: v.picklist(SKIP_REASONS), count }), {
          reason: 'Why, as POST /billing/runs says it.',
          count: 'How many were not billed, by a fee schedule each.',
        }),
      ),
    ),
  }),
  {
    ...runWords,
    finishedAt: 'When it was done; null: it goes on.',
    billed: 'How many of its invoices count: those that are not void.',
    drafts: 'How many of these are drafts still.',
    voided: 'How many are void.',
    totals: 'What those that count come to, in each currency.',
    skipped:
      'How many it did not bill, by the reason; null: the run is of a version that did not count them, or the role is for one branch.',
  },
)
export type BillingRunSummary = v.InferOutput<typeof BillingRunSummary>
