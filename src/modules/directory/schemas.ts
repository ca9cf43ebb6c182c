import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import { id, list, Money, orNull, pageQuery, searched, text, uuid } from '#kernel/values/schema.ts'
import { FamilyGroup } from '#modules/families/index.ts'
import { GuardianLink, Student } from '#modules/people/index.ts'

const { id: studentId, branchId, studentNumber, firstName, lastName, fullName, status } = Student.entries

const balances = orNull(list(Money))

const words = {
  branchId: 'The branch to which the student belongs.',
  balances:
    'What is still to be paid of invoices that are open, in each currency in which some are; empty: nothing. null: the caller may not see it.',
}

const DirectoryContact = named(
  'DirectoryContact',
  v.object({
    guardianId: id,
    fullName: v.string(),
    phone: orNull(v.string()),
    relationship: GuardianLink.entries.relationship,
  }),
  { phone: 'The phone, in international form; null: none is known.' },
)

export const DirectoryStudent = named(
  'DirectoryStudent',
  v.object({
    id: studentId,
    branchId,
    studentNumber,
    firstName,
    lastName,
    fullName,
    status,
    phone: orNull(v.string()),
    groups: list(FamilyGroup),
    contact: orNull(DirectoryContact),
    balances,
  }),
  {
    ...words,
    phone: 'The student’s own; null: none is known.',
    groups: 'The groups in which the student is enrolled now, first enrolled first.',
    contact:
      'Whom one calls first: the primary contact, else the guardian who was linked first. null: there is none, or the caller may not see guardians.',
  },
)
export type DirectoryStudent = v.InferOutput<typeof DirectoryStudent>

const DirectoryChild = named(
  'DirectoryChild',
  v.object({ studentId: id, fullName: v.string(), status, isPayer: GuardianLink.entries.isPayer }),
  {},
)

export const DirectoryGuardian = named(
  'DirectoryGuardian',
  v.object({
    id,
    firstName: v.string(),
    lastName: v.string(),
    fullName: v.string(),
    phone: orNull(v.string()),
    email: orNull(v.string()),
    children: list(DirectoryChild),
    balances,
    account: v.picklist(['none', 'invited', 'active']),
    membershipId: orNull(id),
  }),
  {
    account: 'Whether they come in with an account of their own, or are invited to.',
    membershipId:
      'The membership that is invited, by which the invitation is sent again or taken back; null: none is, or the caller may not see members.',
    children: 'Those within the caller’s reach, first linked first.',
    balances:
      'What is still to be paid of open invoices that the guardian pays since they were issued, in each currency in which some are; empty: nothing. null: the caller may not see it.',
    phone: 'The phone, in international form; null: none is known.',
  },
)
export type DirectoryGuardian = v.InferOutput<typeof DirectoryGuardian>

export const GroupContact = named(
  'GroupContact',
  v.object({
    studentId: id,
    studentName: v.string(),
    studentNumber,
    phone: orNull(v.string()),
    guardians: list(
      named(
        'ContactGuardian',
        v.object({
          guardianId: id,
          fullName: v.string(),
          relationship: GuardianLink.entries.relationship,
          phone: orNull(v.string()),
          isPrimary: GuardianLink.entries.isPrimary,
        }),
        { phone: 'The phone, in international form; null: none is known.' },
      ),
    ),
  }),
  {
    studentName: 'The name of the student.',
    phone: 'The student’s own, in international form; null: none is known.',
    guardians: 'The primary contact first, then by the order in which they were linked.',
  },
)
export type GroupContact = v.InferOutput<typeof GroupContact>

const sort = v.optional(v.picklist(['name', 'newest']), 'name')

const ORDERS = 'By family name and first name, or newest first.'

export const DirectoryStudentQuery = explained(
  pageQuery({
    q: v.optional(searched(200)),
    status: v.optional(status),
    branchId: v.optional(uuid),
    groupId: v.optional(uuid),
    tag: v.optional(text(50)),
    sort,
  }),
  { ...words, groupId: 'A group in which they are actively enrolled.', tag: 'A tag, matched exactly.', sort: ORDERS },
)
export type DirectoryStudentQuery = v.InferOutput<typeof DirectoryStudentQuery>

export const DirectoryGuardianQuery = explained(
  pageQuery({
    q: v.optional(searched(200)),
    guardianId: v.optional(uuid),
    studentId: v.optional(uuid),
    groupId: v.optional(uuid),
    sort,
  }),
  {
    guardianId: 'One guardian.',
    studentId: 'A student to whom they are linked.',
    groupId: 'A group in which a student of theirs is actively enrolled.',
    sort: ORDERS,
  },
)
export type DirectoryGuardianQuery = v.InferOutput<typeof DirectoryGuardianQuery>
