import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { phoneKey } from '#shared/twin-phones.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import type { Guardian, NewGuardian } from './guardians/schemas.ts'
import {
  createGuardian,
  createWithoutPhone,
  findOrCreateGuardian,
  guardianRecord,
  type GuardianPerson,
  type IsMeant,
} from './guardians/service.ts'
import type { GuardianLink } from './links/schemas.ts'
import { changeLink, linkGuardian } from './links/service.ts'
import { createStudent } from './students/create.ts'
import { studentRecord } from './students/row.ts'

/** The one way in which families come in: from the desk, the website, enquiries and lists. */

interface Tie {
  relationship: GuardianLink['relationship']
  /**
   * Taken from whoever had them. Left out: a student who has no guardian yet gets this one as both, and a link that is
   * there stays as it is.
   */
  marks?: Pick<GuardianLink, 'isPrimary' | 'isPayer'>
}

export type FamilyGuardian = Tie &
  (
    | { id: string }
    /** Whoever has this phone, as they are; they are added where nobody has. */
    | { person: GuardianPerson; isMeant?: IsMeant }
    /** A second parent of a phone that is another guardian's. */
    | { withoutPhone: Omit<GuardianPerson, 'phone'> }
    /** Somebody whose phone nobody has. */
    | { added: NewGuardian }
  )

export type FamilyStudent =
  | { id: string }
  | { added: Parameters<typeof createStudent>[1]; origin?: Parameters<typeof createStudent>[2] }

interface FamilyTx {
  /** The transaction, within what the caller reaches of students. */
  readonly students: Tx
  /** Within what they reach of guardians and links; not asked for where there are no guardians. */
  readonly guardians: Tx
}

/** A part of a family, by its position. */
export type FamilyPart = readonly ['guardian' | 'student' | 'link', number]

interface FamilyOptions {
  /** Who links the guardians; undefined: a family that registers by itself, whose student is new. */
  caller?: Caller
  /** Does the work of one part, and may say of a refusal which part it is. */
  inPart?: <T>(part: FamilyPart, work: () => Promise<T>) => Promise<T>
}

interface AddedFamily {
  /** undefined: linked to all of the students before, by the phone. */
  guardians: readonly (Guardian | undefined)[]
  studentIds: readonly string[]
  /** How many links are new. */
  linked: number
}

interface Linked {
  guardian_id: string
  first_name: string
  last_name: string
  phone: string | null
}

const linkedTo = compiledInTenant((whole, { studentId }: { studentId: string }) =>
  whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian_link.guardian_id', 'guardian.first_name', 'guardian.last_name', 'guardian.phone'])
    .where('guardian_link.student_id', '=', studentId),
)

interface Present {
  row: Row<'student'>
  links: Linked[]
}

/** Locks the students who are there already, in one order for all who lock several. */
const lockPresent = async (
  { students: tx }: FamilyTx,
  students: readonly FamilyStudent[],
  inPart: NonNullable<FamilyOptions['inPart']>,
): Promise<Map<string, Present>> => {
  const found = new Map<string, Present>()
  const named = students.flatMap((student, at) => ('id' in student ? [{ id: student.id, at }] : []))
  for (const { id, at } of named.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const row = await inPart(['student', at], () => lockRow(tx, studentRecord, id))
    found.set(id, { row, links: await linkedTo(tx.whole, { studentId: id }) })
  }
  return found
}

/** Whether nothing is left to do for a guardian: their phone is that of a guardian of all the students. */
const isLinked = (guardian: FamilyGuardian, students: readonly FamilyStudent[], present: Map<string, Present>) =>
  'person' in guardian &&
  guardian.marks === undefined &&
  students.every(
    (student) =>
      'id' in student &&
      present
        .get(student.id)
        ?.links.some(
          ({ phone, first_name: firstName, last_name: lastName }) =>
            phone !== null &&
            phoneKey(phone) === phoneKey(guardian.person.phone) &&
            (guardian.isMeant?.({ firstName, lastName }) ?? true),
        ),
  )

/** @param branchId that of the students; a guardian who is added gets it too */
const settle = async (
  tx: Tx,
  guardian: FamilyGuardian,
  { branchId, caller }: { branchId: string; caller: Caller | undefined },
): Promise<Guardian> => {
  if ('id' in guardian) return guardianRecord.reply(tx.db, await lockRow(tx, guardianRecord, guardian.id))
  if ('person' in guardian) {
    return findOrCreateGuardian(tx, guardian.person, { unlinkedBranchId: branchId, isMeant: guardian.isMeant })
  }
  if ('withoutPhone' in guardian) return createWithoutPhone(tx, guardian.withoutPhone, branchId)
  if (!caller) throw new Error('a guardian is added by somebody')
  return createGuardian(tx, caller, guardian.added)
}

/** @returns whether the link is new */
const link = async (
  tx: Tx,
  { studentId, guardianId, links }: { studentId: string; guardianId: string; links: Linked[] },
  { relationship, marks }: Tie,
  caller: Caller | undefined,
): Promise<boolean> => {
  if (links.some(({ guardian_id: id }) => id === guardianId)) {
    if (marks) await changeLink(tx, { studentId, guardianId }, { relationship, ...marks })
    return false
  }
  const isFirst = links.length === 0
  const both = marks ?? { isPrimary: isFirst, isPayer: isFirst }
  await linkGuardian(tx, studentId, { guardianId, relationship, ...both }, { caller, isFirst })
  return true
}

/**
 * Finds or adds the guardians, adds those of the students who are new, and links each guardian to each student.
 * @param students at least one
 * @throws NotFound for a branch, a student or a guardian; GuardianPhoneTaken, GuardianNameDiffers, OwnAccountLink, QuotaExceeded,
 *   StudentNumberTaken, StudentNumbersUsedUp, VALIDATION_ERROR
 */
export const addFamily = async (
  tx: FamilyTx,
  { guardians, students }: { guardians: readonly FamilyGuardian[]; students: readonly FamilyStudent[] },
  { caller, inPart = (_, work) => work() }: FamilyOptions = {},
): Promise<AddedFamily> => {
  const present = await lockPresent(tx, students, inPart)
  const [first] = students as [FamilyStudent]
  const branchId = 'id' in first ? (present.get(first.id) as Present).row.branch_id : first.added.branchId
  // The guardians before new students: taking a student number makes all other new students wait, so it comes last.
  const settled: (Guardian | undefined)[] = []
  for (const [at, guardian] of guardians.entries()) {
    const isThere = isLinked(guardian, students, present)
    const work = () => settle(tx.guardians, guardian, { branchId, caller })
    settled.push(isThere ? undefined : await inPart(['guardian', at], work))
  }
  const studentIds: string[] = []
  for (const [at, student] of students.entries()) {
    const add = (body: Exclude<FamilyStudent, { id: string }>) => createStudent(tx.students, body.added, body.origin)
    studentIds.push('id' in student ? student.id : (await inPart(['student', at], () => add(student))).id)
  }
  let linked = 0
  for (const [at, studentId] of studentIds.entries()) {
    const links = present.get(studentId)?.links ?? []
    for (const [nth, guardian] of settled.entries()) {
      if (!guardian) continue
      const { id: guardianId, firstName, lastName, phone } = guardian
      const work = () => link(tx.guardians, { studentId, guardianId, links }, guardians[nth] as Tie, caller)
      if (!(await inPart(['link', at], work))) continue
      links.push({ guardian_id: guardianId, first_name: firstName, last_name: lastName, phone })
      linked += 1
    }
  }
  return { guardians: settled, studentIds, linked }
}
