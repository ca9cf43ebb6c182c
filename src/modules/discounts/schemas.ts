import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { currency, date, day, id, Money, orNull, pageQuery, title, ts, uuid } from '#kernel/values/schema.ts'
import { DISCOUNT_KINDS } from './tables.ts'

const words = {
  studentId: 'The student who has it; null: a guardian has it.',
  studentName: 'The name of the student; null: a guardian has it.',
  guardianId: 'The guardian who has it, for every student whose payer of record they are; null: a student has it.',
  guardianName: 'The name of the guardian; null: a student has it.',
  kind: '`percent`: a part of what is charged. `amount`: so much off each line.',
  value:
    'A percentage from 1 to 100 with at most two decimals, or an amount in the smallest unit of the currency, at least 1.',
  percent: 'The percentage; null: it is an amount.',
  amount: 'The amount, which is taken off lines in its currency alone; null: it is a percentage.',
  currency: 'That of an amount: it is taken off lines in this currency alone. null: it is a percentage.',
  label: 'What it is called on invoices.',
  courseId: 'Only for the groups of this course, and for the course itself; null: for others too.',
  courseName: 'The name of the course; null: none is named.',
  groupId: 'Only for this group; null: for others too.',
  groupName: 'The name of the group; null: none is named, or it is out of reach.',
  validFrom: 'Its first day.',
  validTo: 'Its last day; null: it has no end.',
}

const kind = v.picklist(DISCOUNT_KINDS)

export const Discount = named(
  'Discount',
  v.object({
    id,
    studentId: orNull(id),
    studentName: orNull(v.string()),
    guardianId: orNull(id),
    guardianName: orNull(v.string()),
    kind,
    percent: orNull(v.number()),
    amount: orNull(Money),
    label: v.string(),
    courseId: orNull(id),
    courseName: orNull(v.string()),
    groupId: orNull(id),
    groupName: orNull(v.string()),
    validFrom: day,
    validTo: orNull(day),
    createdAt: ts,
    updatedAt: ts,
  }),
  words,
)
export type Discount = v.InferOutput<typeof Discount>

export const NewDiscount = named(
  'NewDiscount',
  v.object({
    studentId: v.optional(uuid),
    guardianId: v.optional(uuid),
    kind,
    value: v.pipe(v.number(), v.minValue(0), v.maxValue(1_000_000_000_000)),
    currency: v.optional(currency),
    label: title(150),
    courseId: v.optional(v.nullable(uuid)),
    groupId: v.optional(v.nullable(uuid)),
    validFrom: date,
    validTo: v.optional(v.nullable(date)),
  }),
  {
    ...words,
    studentId: 'The student who has it. Either this or guardianId is needed.',
    guardianId: 'The guardian who has it, for every student whose payer of record they are.',
    currency: 'Of an amount; that of the institute where it is left out. A percentage has none.',
    validTo: 'Its last day, not before the first; null: it has no end.',
  },
)
export type NewDiscount = v.InferOutput<typeof NewDiscount>

export const DiscountChanges = named(
  'DiscountChanges',
  v.object({ label: v.optional(title(150)), validTo: v.optional(v.nullable(date)) }),
  { ...words, validTo: 'Its last day, not before the first; null: it has no end.' },
)
export type DiscountChanges = v.InferOutput<typeof DiscountChanges>

export const DiscountQuery = explained(
  pageQuery({
    studentId: v.optional(uuid),
    guardianId: v.optional(uuid),
    courseId: v.optional(uuid),
    groupId: v.optional(uuid),
    at: v.optional(date),
  }),
  {
    studentId: 'Only those that this student has, not those of who pays.',
    guardianId: 'Only those that this guardian has.',
    courseId: 'Only those that name this course.',
    groupId: 'Only those that name this group.',
    at: 'Only those that hold on this day.',
  },
)
