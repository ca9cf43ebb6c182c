import * as v from 'valibot'
import { explained, named } from '#kernel/values/named.ts'
import {
  Address,
  count,
  date,
  day,
  emptyable,
  identityNumber,
  emptyableEmail,
  emptyableProse,
  expectedVersion,
  id,
  list,
  Money,
  name,
  orNull,
  pageQuery,
  prose,
  searched,
  text,
  ts,
  uuid,
} from '#kernel/values/schema.ts'
import { fold } from '#shared/text.ts'
import { GENDERS, STUDENT_STATUSES } from '../tables.ts'

const words = {
  branchId: 'The branch to which the student belongs.',
  studentNumber: 'S- and 6 digits. The server counts up where it is left out.',
  birthDate: 'Not in the future; null: not known.',
  gender: 'null: not known.',
  tag: 'A tag, matched exactly.',
  status: 'How the student stands.',
  pausedFrom: 'The first day of the pause that lasts, or of the next one; null: no pause is known.',
  pausedTo: 'Its last day, included; null: without an end, or no pause is known.',
  leftOn: 'The last day of who left, or is going to; null: no such day is known.',
  leavingAs: 'What the student becomes on that day, which lies ahead; null: they are not going to leave.',
  erasedAt: 'When the person was erased: the name is no name, and nothing is changed any more. null: they were not.',
  groupId: 'A group in which they are actively enrolled.',
}

const listed = {
  id,
  branchId: id,
  studentNumber: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  fullName: v.string(),
  status: v.picklist(STUDENT_STATUSES),
  createdAt: ts,
}

export const Student = named('Student', v.object(listed), words)
export type Student = v.InferOutput<typeof Student>

export const StudentDetail = named(
  'StudentDetail',
  v.object({
    ...listed,
    email: orNull(v.string()),
    phone: orNull(v.string()),
    nationalId: orNull(v.string()),
    birthDate: orNull(day),
    gender: orNull(v.picklist(GENDERS)),
    address: orNull(Address),
    tags: list(v.string()),
    notes: orNull(v.string()),
    userId: orNull(id),
    pausedFrom: orNull(day),
    pausedTo: orNull(day),
    leftOn: orNull(day),
    leavingAs: orNull(v.picklist(['graduated', 'withdrawn'])),
    erasedAt: orNull(ts),
    version: count,
    updatedAt: ts,
  }),
  words,
)
export type StudentDetail = v.InferOutput<typeof StudentDetail>

/** Sorts by the folded letters; tags that fold alike sort by their exact characters. */
const inAlphabeticalOrder = (a: string, b: string): number => {
  const [left, right] = [`${fold(a)} ${a}`, `${fold(b)} ${b}`]
  return left < right ? -1 : left > right ? 1 : 0
}

const Tags = v.pipe(
  v.array(text(50)),
  v.maxLength(50, 'Must have at most 50 tags.'),
  v.transform((tags) => [...new Set(tags)].toSorted(inAlphabeticalOrder)),
)

/** Fields of a student that can be set when they are added, and changed later. */
const editableFields = {
  email: v.optional(v.nullable(emptyableEmail)),
  phone: v.optional(v.nullable(emptyable(50))),
  nationalId: v.optional(v.nullable(identityNumber)),
  birthDate: v.optional(v.nullable(date)),
  gender: v.optional(v.nullable(v.picklist(GENDERS))),
  address: v.optional(v.nullable(Address)),
  tags: v.optional(
    v.pipe(
      v.nullable(Tags),
      v.transform((tags) => tags ?? []),
    ),
  ),
  notes: v.optional(v.nullable(emptyableProse(5000))),
  userId: v.optional(v.nullable(uuid)),
}

export const NewStudent = named(
  'NewStudent',
  v.object({
    branchId: uuid,
    firstName: name(100),
    lastName: name(100),
    studentNumber: v.optional(
      v.pipe(v.string(), v.trim(), v.regex(/^S-\d{6}$/, 'Must be S- and 6 digits, such as S-000042.')),
    ),
    ...editableFields,
  }),
  words,
)
export type NewStudent = v.InferOutput<typeof NewStudent>

export const StudentChanges = named(
  'StudentChanges',
  v.object({
    branchId: v.optional(uuid),
    firstName: v.optional(name(100)),
    lastName: v.optional(name(100)),
    ...editableFields,
    version: expectedVersion,
  }),
  words,
)
export type StudentChanges = v.InferOutput<typeof StudentChanges>

export const StatusChange = named(
  'StudentStatusChange',
  v.object({
    status: v.picklist(STUDENT_STATUSES),
    reason: v.optional(prose(500)),
    pausedFrom: v.optional(date),
    pausedTo: v.optional(date),
    leftOn: v.optional(date),
  }),
  {
    ...words,
    pausedFrom: 'With paused: the first day of the pause; left out, today, or that of the pause that lasts.',
    pausedTo: 'With paused: the last day of the pause, included; left out, it has no end.',
    leftOn: 'With withdrawn and graduated: the last day, included; left out, the student leaves now.',
  },
)
export type StatusChange = v.InferOutput<typeof StatusChange>

export const StatusConsequences = named(
  'StudentStatusConsequences',
  v.object({
    status: v.picklist(STUDENT_STATUSES),
    groups: list(
      named('GroupOfStudent', v.object({ groupId: id, groupName: v.string(), lastDay: orNull(day), lessons: count }), {
        groupId: 'A group in which the student is.',
        groupName: 'Its name.',
        lastDay: 'The last day in the group; null: no end is known.',
        lessons:
          'Of who pauses, how many lessons that are known and to come fall into the pause; of everybody else, how many come until the last day.',
      }),
    ),
    fees: orNull(
      named('FeesOfMonth', v.object({ month: v.string(), before: list(Money), after: list(Money) }), {
        month: 'The next month, or the first one that the change is about, as YYYY-MM.',
        before: 'What a billing run would charge for it as things are, in each currency.',
        after: 'What it would charge after the change.',
      }),
    ),
    paidAhead: list(Money),
  }),
  {
    status: 'How the student stands at once.',
    groups: 'The groups in which the student is actively enrolled, by name.',
    fees: 'What a month would cost; null: the caller reads no invoices.',
    paidAhead:
      'What was paid for months after the last day, in each currency; empty: nothing, the student does not leave, or the caller reads no invoices.',
  },
)
export type StatusConsequences = v.InferOutput<typeof StatusConsequences>

export const StudentQuery = explained(
  pageQuery({
    q: v.optional(searched(200)),
    status: v.optional(v.picklist(STUDENT_STATUSES)),
    branchId: v.optional(uuid),
    groupId: v.optional(uuid),
    tag: v.optional(text(50)),
    nationalId: v.optional(text(50)),
  }),
  { ...words, nationalId: 'Only those with exactly this identity number, however it is written.' },
)
export type StudentQuery = v.InferOutput<typeof StudentQuery>
