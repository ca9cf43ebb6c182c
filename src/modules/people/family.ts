import { compiledInTenant } from '#db/queries/compiled.ts'
import type { Caller } from '#kernel/who/actor.ts'
import { phoneKey } from '#shared/twin-phones.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { lockRow, type Row } from '#runtime/records/records.ts'
import type { Guardian, NewGuardian } from './guardians/schemas.ts'
import {
  createGuardian,
  createWithoutPhone,
  findOrCreateGuardians,
  guardianRecord,
  type GuardianPerson,
  type IsMeant,
} from './guardians/service.ts'
import type { GuardianLink } from './links/schemas.ts'
import { changeLink, linkGuardians, type LinkToAdd } from './links/service.ts'
import { createStudents, type AddedStudent } from './students/create.ts'
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

export type FamilyStudent = { id: string } | { added: AddedStudent['body']; origin?: AddedStudent['origin'] }

interface FamilyTx {
  /** The transaction, within what the caller reaches of students. */
  readonly students: Tx
  /** Within what they reach of guardians and links; not asked for where there are no guardians. */
  readonly guardians: Tx
}

/** A part of a family, by its position. */
export type FamilyPart = readonly ['guardian' | 'student' | 'link', number]

interface Family {
  guardians: readonly FamilyGuardian[]
  /** At least one. */
  students: readonly FamilyStudent[]
}

/** Does the work of one part of one of the families, and may say of a refusal which it is. */
type InPart = <T>(family: number, part: FamilyPart, work: () => Promise<T>) => Promise<T>

interface FamilyOptions {
  /** Who links the guardians; undefined: a family that registers by itself, whose student is new. */
  caller?: Caller | undefined
  inPart?: <T>(part: FamilyPart, work: () => Promise<T>) => Promise<T>
}

interface FamiliesOptions {
  caller: Caller | undefined
  inPart: InPart
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

/** What belongs to one of the families. @param at its place there */
interface Of<T> {
  family: number
  at: number
  one: T
}

/** All of one kind, of all families in order. */
const allOf = <T>(families: readonly Family[], of: (family: Family) => readonly T[]): Of<T>[] =>
  families.flatMap((each, family) => of(each).map((one, at) => ({ family, at, one })))

/** Locks the students who are there already, in one order for all who lock several. */
const lockPresent = async (
  { students: tx }: FamilyTx,
  students: readonly Of<FamilyStudent>[],
  inPart: InPart,
): Promise<Map<string, Present>> => {
  const found = new Map<string, Present>()
  const named = students.flatMap(({ family, at, one }) => ('id' in one ? [{ id: one.id, family, at }] : []))
  for (const { id, family, at } of named.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const row = await inPart(family, ['student', at], () => lockRow(tx, studentRecord, id))
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
const settleOne = async (
  tx: Tx,
  guardian: Exclude<FamilyGuardian, { person: GuardianPerson }>,
  { branchId, caller }: { branchId: string; caller: Caller | undefined },
): Promise<Guardian> => {
  if ('id' in guardian) return guardianRecord.reply(tx.db, await lockRow(tx, guardianRecord, guardian.id))
  if ('withoutPhone' in guardian) return createWithoutPhone(tx, guardian.withoutPhone, branchId)
  if (!caller) throw new Error('a guardian is added by somebody')
  return createGuardian(tx, caller, guardian.added)
}

/** Finds or adds the guardians; those who are known by their phones alone together. @returns by family, as AddedFamily has them */
const settle = async (
  tx: FamilyTx,
  families: readonly Family[],
  { present, caller, inPart }: FamiliesOptions & { present: Map<string, Present> },
): Promise<(Guardian | undefined)[][]> => {
  const branchOf = (family: number): string => {
    const [first] = (families[family] as Family).students as [FamilyStudent]
    return 'id' in first ? (present.get(first.id) as Present).row.branch_id : first.added.branchId
  }
  const settled = families.map(({ guardians }) => guardians.map((): Guardian | undefined => undefined))
  const left = allOf(families, ({ guardians }) => guardians).filter(
    ({ family, one }) => !isLinked(one, (families[family] as Family).students, present),
  )
  const sought = left.flatMap(({ family, at, one }) => {
    if (!('person' in one)) return []
    return [{ family, at, person: one.person, isMeant: one.isMeant, unlinkedBranchId: branchOf(family) }]
  })
  const inGuardian = <T>({ family, at }: Pick<Of<unknown>, 'family' | 'at'>, work: () => Promise<T>): Promise<T> =>
    inPart(family, ['guardian', at], work)
  if (sought.length > 0) {
    const found = await findOrCreateGuardians(tx.guardians, sought, (nth, work) =>
      inGuardian(sought[nth] as (typeof sought)[number], work),
    )
    for (const [nth, { family, at }] of sought.entries()) (settled[family] as Guardian[])[at] = found[nth] as Guardian
  }
  for (const { family, at, one } of left) {
    if ('person' in one) continue
    const made = await inGuardian({ family, at }, () =>
      settleOne(tx.guardians, one, { branchId: branchOf(family), caller }),
    )
    ;(settled[family] as Guardian[])[at] = made
  }
  return settled
}

/** Adds those who are new. @returns the students of each family */
const addStudents = async (
  { students: tx }: FamilyTx,
  families: readonly Family[],
  inPart: InPart,
): Promise<string[][]> => {
  const ids = families.map(({ students }) => students.map((student) => ('id' in student ? student.id : '')))
  const added = allOf(families, ({ students }) => students).flatMap(({ family, at, one }) =>
    'id' in one ? [] : [{ family, at, body: one.added, origin: one.origin }],
  )
  const made = await createStudents(tx, added, (nth, work) => {
    const { family, at } = added[nth] as (typeof added)[number]
    return inPart(family, ['student', at], work)
  })
  for (const [nth, { family, at }] of added.entries()) (ids[family] as string[])[at] = (made[nth] as { id: string }).id
  return ids
}

interface Settled {
  present: Map<string, Present>
  /** Of each family; undefined: linked to all of its students before. */
  settled: readonly (readonly (Guardian | undefined)[])[]
  studentIds: readonly (readonly string[])[]
}

type LinkOf = LinkToAdd & Pick<Of<unknown>, 'family' | 'at'>

/** Links the guardians of each family to its students. @returns how many links of each are new */
const linkAll = async (
  tx: FamilyTx,
  families: readonly Family[],
  { present, settled, studentIds, caller, inPart }: FamiliesOptions & Settled,
): Promise<number[]> => {
  const linked = families.map(() => 0)
  let added: LinkOf[] = []
  const addLinks = async (): Promise<void> => {
    const some = added
    added = []
    if (some.length === 0) return
    const ofLink = <T>(nth: number, work: () => Promise<T>): Promise<T> => {
      const { family, at } = some[nth] as LinkOf
      return inPart(family, ['link', at], work)
    }
    await linkGuardians(tx.guardians, some, { caller, inPart: ofLink })
  }
  for (const { family, at } of allOf(families, ({ students }) => students)) {
    const studentId = studentIds[family]?.[at] as string
    const links = present.get(studentId)?.links ?? []
    for (const [nth, guardian] of (settled[family] as Settled['settled'][number]).entries()) {
      if (!guardian) continue
      const { id: guardianId, firstName, lastName, phone } = guardian
      const { relationship, marks } = (families[family] as Family).guardians[nth] as Tie
      if (!links.some(({ guardian_id: id }) => id === guardianId)) {
        const isFirst = links.length === 0
        const both = marks ?? { isPrimary: isFirst, isPayer: isFirst }
        added.push({ family, at, studentId, body: { guardianId, relationship, ...both }, isFirst })
        links.push({ guardian_id: guardianId, first_name: firstName, last_name: lastName, phone })
        linked[family] = (linked[family] as number) + 1
      } else if (marks) {
        // The mark may have been taken by a link before.
        await addLinks()
        const change = () => changeLink(tx.guardians, { studentId, guardianId }, { relationship, ...marks })
        await inPart(family, ['link', at], change)
      }
    }
  }
  await addLinks()
  return linked
}

/**
 * Finds or adds the guardians, adds those of the students who are new, and links each guardian to each student: of several
 * families each kind of row together, so that a list comes in by few statements. Where one of them is refused, none of the
 * others is to be kept: a family that may be refused by itself is added by itself.
 * @throws NotFound for a branch, a student or a guardian; GuardianPhoneTaken, GuardianNameDiffers, OwnAccountLink, QuotaExceeded,
 *   StudentNumberTaken, StudentNumbersUsedUp, VALIDATION_ERROR
 */
export const addFamilies = async (
  tx: FamilyTx,
  families: readonly Family[],
  { caller, inPart }: FamiliesOptions,
): Promise<AddedFamily[]> => {
  const students = allOf(families, (family) => family.students)
  const present = await lockPresent(tx, students, inPart)
  // The guardians before new students: taking a student number makes all other new students wait, so it comes last.
  const settled = await settle(tx, families, { present, caller, inPart })
  const studentIds = await addStudents(tx, families, inPart)
  const linked = await linkAll(tx, families, { present, settled, studentIds, caller, inPart })
  return families.map((_, family) => ({
    guardians: settled[family] as (Guardian | undefined)[],
    studentIds: studentIds[family] as string[],
    linked: linked[family] as number,
  }))
}

/** Adds one family. @throws as addFamilies */
export const addFamily = async (
  tx: FamilyTx,
  family: Family,
  { caller, inPart = (_, work) => work() }: FamilyOptions = {},
): Promise<AddedFamily> => {
  const options: FamiliesOptions = { caller, inPart: (_, part, work) => inPart(part, work) }
  return (await addFamilies(tx, [family], options))[0] as AddedFamily
}
