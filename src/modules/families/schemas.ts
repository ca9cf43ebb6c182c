import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'
import { count, currency, day, id, list, Money, orNull } from '#kernel/values/schema.ts'
import { Invoice, invoiceWords } from '#modules/billing/index.ts'
import { GuardianLink, Student } from '#modules/people/index.ts'

const { relationship, isPrimary, isPayer, seesLearning, seesMoney } = GuardianLink.entries

export const FamilyGroup = named(
  'FamilyGroup',
  v.object({ groupId: id, groupName: v.string(), courseName: v.string() }),
  {
    groupName: 'What the group is called.',
    courseName: 'What its course is called.',
  },
)
export type FamilyGroup = v.InferOutput<typeof FamilyGroup>

export const FamilyInvoice = named(
  'FamilyInvoice',
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
  invoiceWords,
)

/** As staff see it: of what is made out to another guardian, families see the sum alone. */
const FamilyOpenInvoice = named(
  'FamilyOpenInvoice',
  v.object({ ...FamilyInvoice.entries, firstLine: v.string(), lineCount: count }),
  invoiceWords,
)

export const FamilyChild = named(
  'FamilyChild',
  v.object({
    studentId: id,
    branchId: id,
    fullName: v.string(),
    studentNumber: v.string(),
    status: Student.entries.status,
    relationship,
    isPrimary,
    isPayer,
    seesLearning,
    seesMoney,
    groups: list(FamilyGroup),
    attendanceRate30d: orNull(v.number()),
    balance: orNull(Money),
    openInvoices: orNull(list(FamilyOpenInvoice)),
  }),
  {
    branchId: 'The branch to which the student belongs.',
    groups: 'The groups in which the student is enrolled now.',
    attendanceRate30d: '100 × (present + late) / (present + late + absent) of the last 30 days; null: nothing counts.',
    balance: 'What is still to be paid in the institute’s currency; null: the caller may not see it.',
    openInvoices:
      'The student’s open invoices, of any currency and whoever pays them, first due first; null: the caller may not see them.',
  },
)
export type FamilyChild = v.InferOutput<typeof FamilyChild>

const FamilyGuardian = named(
  'FamilyGuardian',
  v.object({
    guardianId: id,
    firstName: v.string(),
    lastName: v.string(),
    phone: orNull(v.string()),
    studentIds: list(id),
  }),
  {
    studentIds: 'Those of the children who are theirs too.',
    phone: 'The phone, in international form; null: that of another guardian is theirs too.',
  },
)

export const FamilySummary = named(
  'FamilySummary',
  v.object({
    guardianId: id,
    children: list(FamilyChild),
    otherGuardians: list(FamilyGuardian),
    financial: orNull(
      named(
        'FamilyMoney',
        v.object({
          currency,
          balance: Money,
          openInvoices: list(FamilyOpenInvoice),
        }),
        {
          balance: 'What is still to be paid for all children, in the institute’s currency.',
          openInvoices:
            'The open invoices that the guardian pays, as they keep it since they were issued, first due first.',
        },
      ),
    ),
  }),
  {
    children: 'The students of the guardian, first linked first.',
    otherGuardians: 'Who else is a guardian of one of the children, first linked first.',
    financial: 'The money of the family; null: the caller may not see it.',
  },
)
export type FamilySummary = v.InferOutput<typeof FamilySummary>
