import * as v from 'valibot'
import { currency, day, id, list, Money, orNull } from '#kernel/schema.ts'
import { Invoice } from '#modules/billing/index.ts'
import { GuardianLink, Student } from '#modules/people/index.ts'

const { relationship, isPrimary, isPayer } = GuardianLink.entries

export const FamilyChild = v.object({
  studentId: id,
  fullName: v.string(),
  studentNumber: v.string(),
  status: Student.entries.status,
  relationship,
  isPrimary,
  isPayer,
  groups: list(v.object({ groupId: id, groupName: v.string(), courseName: v.string() })),
  attendanceRate30d: orNull(v.number()),
  balance: orNull(Money),
})
export type FamilyChild = v.InferOutput<typeof FamilyChild>

export const FamilySummary = v.object({
  guardianId: id,
  children: list(FamilyChild),
  financial: orNull(
    v.object({
      currency,
      balance: Money,
      openInvoices: list(
        v.object({
          id,
          number: v.string(),
          studentId: id,
          status: Invoice.entries.status,
          dueDate: day,
          total: Money,
          paid: Money,
          balance: Money,
        }),
      ),
    }),
  ),
})
export type FamilySummary = v.InferOutput<typeof FamilySummary>
