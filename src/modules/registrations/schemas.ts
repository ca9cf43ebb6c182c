import * as v from 'valibot'
import { Issue } from '#kernel/values/errors.ts'
import { named } from '#kernel/values/named.ts'
import { count, currency, date, day, id, integer, list, Money, orNull, prose, uuid } from '#kernel/values/schema.ts'
import { InvoiceLine, invoiceWords, MAX_INVOICE_TOTAL_MINOR, Unreached } from '#modules/billing/index.ts'
import { Enrollment, NewEnrollment } from '#modules/groups/index.ts'
import { Guardian, GuardianLink, NewGuardian, NewStudent, Student, StudentDetail } from '#modules/people/index.ts'

const words = {
  ...invoiceWords,
  guardian: 'Who answers for the students; null: nobody. Left out with `leadId`, it is whom the lead names.',
  relationship: 'How the guardian is related to the students. It is needed where there is a guardian.',
  isPrimary: 'Whether the guardian is the primary contact of each of the students, in place of whoever was it.',
  isPayer: 'Whether the guardian is the payer of record of each of the students, in place of whoever was it.',
  id: 'The record of somebody who is there already, and nothing else of them; left out: they are new.',
  firstName: 'One line, without the address of a page. Somebody new needs it, other than in a dry run.',
  lastName: 'One line, without the address of a page. Somebody new needs it, other than in a dry run.',
  branchId:
    'The branch to which the student belongs. Somebody new needs it, other than in a dry run and with `leadId`.',
  studentNumber: 'S- and 6 digits. The server counts up where it is left out.',
  birthDate: 'Not in the future; null: not known.',
  gender: 'null: not known.',
  students: 'The students, 1 to 200: a family, or a list whose students come in together.',
  groups: 'The groups that the student joins, at most 10.',
  groupId: 'The group; null: the line is not of one group.',
  priceMinor: 'What the student pays, in the smallest unit of the currency; the group’s fee where it is left out.',
  enrolledAt:
    'Since when the student belongs to the group, not in the future; where it is left out, now, or the start of the session of the group that is running.',
  lines: 'What the student is charged for; left out: what the dry run shows.',
  currency: 'That of the group where it is left out, or of the student’s first group, or of the institute.',
  invoice: 'Whether the students are invoiced: not, as drafts, or at once.',
  dueDate: 'The day by which it is to be paid; where it is left out, it follows from the setting invoiceDueDays.',
  leadId: 'The lead that is converted by it: its person is the first of the students; null: none.',
  dryRun: 'true: nothing is kept, and the reply is what it would come to.',
}

const personOf = {
  firstName: v.optional(NewStudent.entries.firstName),
  lastName: v.optional(NewStudent.entries.lastName),
}

const NewFirstLine = named(
  'NewFirstInvoiceLine',
  v.object({
    description: prose(300),
    quantity: v.optional(integer(1, 10_000), 1),
    unitAmountMinor: integer(0, MAX_INVOICE_TOTAL_MINOR),
    discountMinor: v.optional(integer(0, MAX_INVOICE_TOTAL_MINOR), 0),
    taxRatePercent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 0),
    feeScheduleId: v.optional(v.nullable(uuid)),
    groupId: v.optional(v.nullable(uuid)),
    siblingPlace: v.optional(v.nullable(integer(1, 1000))),
    currency: v.optional(currency),
  }),
  words,
)

const { userId: _userId, branchId, studentNumber, firstName: _first, lastName: _last, ...details } = NewStudent.entries

const RegisteredStudent = named(
  'RegistrationStudent',
  v.object({
    id: v.optional(uuid),
    branchId: v.optional(branchId),
    studentNumber,
    ...personOf,
    ...details,
    groups: v.optional(
      v.pipe(
        list(named('RegistrationGroup', v.omit(NewEnrollment, ['studentId']), words)),
        v.maxLength(10, 'Must name at most 10 groups.'),
      ),
      [],
    ),
    lines: v.optional(v.pipe(list(NewFirstLine), v.maxLength(200, 'Must have at most 200 lines.'))),
  }),
  words,
)
export type RegisteredStudent = v.InferOutput<typeof RegisteredStudent>

const { email, nationalId, address } = NewGuardian.entries

export const NewRegistration = named(
  'NewRegistration',
  v.object({
    guardian: v.optional(
      v.nullable(
        named(
          'RegistrationGuardian',
          v.object({
            id: v.optional(uuid),
            ...personOf,
            phone: v.optional(NewGuardian.entries.phone),
            email,
            nationalId,
            preferredLocale: v.optional(v.unwrap(NewGuardian.entries.preferredLocale)),
            address,
          }),
          { ...words, phone: 'As POST /guardians takes it. Somebody new needs it, other than in a dry run.' },
        ),
      ),
    ),
    relationship: v.optional(GuardianLink.entries.relationship),
    isPrimary: v.optional(v.boolean(), true),
    isPayer: v.optional(v.boolean(), true),
    students: v.pipe(
      list(RegisteredStudent),
      v.minLength(1, 'Must name a student.'),
      v.maxLength(200, 'Must name at most 200 students.'),
    ),
    invoice: v.optional(v.picklist(['none', 'draft', 'issue']), 'none'),
    dueDate: v.optional(date),
    leadId: v.optional(v.nullable(uuid)),
    dryRun: v.optional(v.boolean(), false),
  }),
  words,
)
export type NewRegistration = v.InferOutput<typeof NewRegistration>

const KnownGuardian = named(
  'KnownGuardian',
  v.object({
    id,
    firstName: v.string(),
    lastName: v.string(),
    phone: v.string(),
    isSameName: orNull(v.boolean()),
    children: list(named('KnownChild', v.object({ id, fullName: v.string() }))),
  }),
  {
    isSameName: 'Whether the name that was given is theirs, however it is spelled; null: no whole name was given.',
    children: 'The students whose guardian they are, as far as the caller reads them.',
  },
)

const { id: _id, enrollmentId: _enrollment, courseEnrollmentId: _access, ...chargedFor } = InvoiceLine.entries

const FirstInvoiceLine = named('FirstInvoiceLine', v.object({ ...chargedFor, groupId: orNull(id) }), words)

export const FirstInvoice = named(
  'FirstInvoice',
  v.object({
    id: orNull(id),
    number: orNull(v.string()),
    dueDate: day,
    subtotal: Money,
    discount: Money,
    tax: Money,
    total: Money,
    lines: list(FirstInvoiceLine),
    unreached: orNull(Unreached),
  }),
  {
    ...words,
    id: 'The id of the invoice; null: of a dry run.',
    number: 'As of every invoice; null: of a dry run.',
    lines: 'What is charged for.',
    unreached:
      'Of one that was issued: who pays it, where the message about it reaches them over no channel; null: it does, or none was sent.',
  },
)
export type FirstInvoice = v.InferOutput<typeof FirstInvoice>

export const Registration = named(
  'Registration',
  v.object({
    dryRun: v.boolean(),
    guardian: orNull(Guardian),
    knownGuardians: list(KnownGuardian),
    students: list(
      named(
        'StudentOfRegistration',
        v.object({
          student: orNull(StudentDetail),
          isNew: v.boolean(),
          link: orNull(GuardianLink),
          knownStudents: list(Student),
          enrollments: list(Enrollment),
          invoices: list(FirstInvoice),
        }),
        {
          student: 'The student, who is active now, or paused if they were; null: of a dry run.',
          isNew: 'Whether the student is added by it.',
          link: 'The link to the guardian; null: there is no guardian, or it is a dry run.',
          knownStudents:
            'Of a dry run: students who have the same name, phone or identity number, at most 5 whom the caller reads.',
          enrollments: 'The enrollments, in the order of the request; none of a dry run.',
          invoices:
            'One for each currency. Of a dry run: what would be charged, also where the request asks for no invoice.',
        },
      ),
    ),
    groups: list(
      named('GroupOfRegistration', v.object({ groupId: id, capacity: orNull(count), enrolledCount: count }), {
        groupId: 'The group.',
        capacity: 'How many students it takes; null: any number.',
        enrolledCount: 'How many are actively enrolled, without those of this request.',
      }),
    ),
    refusal: orNull(
      named(
        'RegistrationRefusal',
        v.object({
          code: v.string(),
          reason: orNull(v.string()),
          message: v.string(),
          path: list(v.string()),
          issues: list(Issue),
        }),
        {
          code: 'As in the reply that refuses it.',
          reason: '`details.reason` of that reply; null: it has none.',
          message: 'In English, for logs and developers.',
          path: 'Where it is in the body: names of fields, and positions in arrays counted from 0.',
          issues:
            'As in the reply that refuses it: all that is missing or cannot be; empty: it is refused for another reason.',
        },
      ),
    ),
  }),
  {
    dryRun: 'Whether nothing was kept.',
    guardian: 'The guardian; null: there is none, or it is a dry run.',
    knownGuardians: 'Of a dry run: who has the phone of the guardian already, as far as the caller reads guardians.',
    students: 'The students, in the order of the request.',
    groups: 'The groups that are joined, each once.',
    refusal:
      'Of a dry run: why the request would be refused now, the first reason, and of missing fields all; null: it would not be.',
  },
)
export type Registration = v.InferOutput<typeof Registration>
