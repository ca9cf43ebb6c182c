import type { ScopedDb } from '#kernel/contract/tables.ts'
import { failure, found } from '#kernel/values/errors.ts'
import { fullName, type GuardianLink } from '#modules/people/index.ts'
import { listOf, type Order } from '#runtime/records/lists.ts'
import { recordOf, type Row } from '#runtime/records/records.ts'
import { detailsOf, differing, fieldsOf, pick, seenTag, type PersonDetails } from './fields.ts'
import type { ProposedChange } from './schemas.ts'
import type { InferOutput } from 'valibot'

export const NotOpen = failure('CONFLICT', 'proposal_not_open', 'It was decided or withdrawn already.')
export const ChangedMeanwhile = failure(
  'CONFLICT',
  'proposal_changed',
  'The proposal, or what it is about, has changed since it was looked at: look at it again.',
)

type Relationship = InferOutput<typeof GuardianLink>['relationship']

const PERSON = ['first_name', 'last_name', 'phone', 'email', 'national_id', 'address'] as const

const ofStudents = (db: ScopedDb) =>
  db
    .selectFrom('proposed_change')
    .innerJoin('student', 'student.id', 'proposed_change.student_id')
    .innerJoin('user', 'user.id', 'proposed_change.by_user_id')
    .selectAll('proposed_change')
    .select(['user.full_name as by_name', 'student.birth_date'])
    .select(PERSON.map((column) => `student.${column}` as const))

const ofGuardians = (db: ScopedDb) =>
  db
    .selectFrom('proposed_change')
    .innerJoin('guardian', 'guardian.id', 'proposed_change.guardian_id')
    .innerJoin('user', 'user.id', 'proposed_change.by_user_id')
    .selectAll('proposed_change')
    .select('user.full_name as by_name')
    .select(PERSON.map((column) => `guardian.${column}` as const))

type OfStudent = Awaited<ReturnType<ReturnType<typeof ofStudents>['execute']>>[number]
type OfGuardian = Awaited<ReturnType<ReturnType<typeof ofGuardians>['execute']>>[number]
export type Found = OfStudent | OfGuardian

/** What somebody sees who decides. @param now the record as it is kept */
export const seenOf = (
  { version, proposed }: Pick<Row<'proposed_change'>, 'version' | 'proposed'>,
  now: PersonDetails,
) => seenTag(version, pick(now, fieldsOf(proposed)))

/** What those are to the students who propose something of them. */
export const relationshipsOf = async (
  whole: ScopedDb,
  rows: readonly Found[],
): Promise<(row: Found) => Relationship | null> => {
  const studentIds = rows.flatMap(({ student_id: id }) => id ?? [])
  if (studentIds.length === 0) return () => null
  const links = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select(['guardian_link.student_id', 'guardian_link.relationship', 'guardian.user_id'])
    .where('guardian_link.student_id', 'in', studentIds)
    .where('guardian.user_id', 'is not', null)
    .execute()
  return (row) =>
    links.find((link) => link.student_id === row.student_id && link.user_id === row.by_user_id)?.relationship ?? null
}

export const toProposal = (row: Found, relationship: Relationship | null): ProposedChange => {
  const stands = detailsOf(row)
  return {
    id: row.id,
    studentId: row.student_id,
    guardianId: row.guardian_id,
    fullName: fullName(row),
    byUserId: row.by_user_id,
    byName: row.by_name,
    relationship,
    status: row.status,
    fields: fieldsOf(row.proposed),
    stands,
    proposed: { ...stands, ...(row.proposed as Partial<PersonDetails>) },
    changedSince: differing(row.was, stands),
    acceptedFields: row.accepted_fields,
    note: row.note,
    remark: row.remark,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    seen: seenOf(row, stands),
  }
}

/** @throws NotFound */
const readProposal = async (db: ScopedDb, id: string): Promise<ProposedChange> => {
  const row =
    (await ofStudents(db).where('proposed_change.id', '=', id).executeTakeFirst()) ??
    found(await ofGuardians(db).where('proposed_change.id', '=', id).executeTakeFirst())
  return toProposal(row, (await relationshipsOf(db, [row]))(row))
}

export const proposalRecord = recordOf('proposed_change', { read: readProposal })

/** Oldest first: who has waited longest comes first. */
const order: Order<{ created_at: string; id: string }> = {
  columns: ['proposed_change.created_at', 'proposed_change.id'],
  direction: 'asc',
  position: (row) => [row.created_at, row.id],
}

export const listOfStudents = listOf({
  from: ofStudents,
  filters: { status: 'proposed_change.status', branchId: 'student.branch_id' },
  order,
  show: (row): Found => row,
})

export const listOfGuardians = listOf({
  from: ofGuardians,
  filters: {
    status: 'proposed_change.status',
    branchId: ({ exists, selectFrom }, branchId: string) =>
      exists(
        selectFrom('guardian_link')
          .innerJoin('student', 'student.id', 'guardian_link.student_id')
          .select('guardian_link.id')
          .whereRef('guardian_link.guardian_id', '=', 'proposed_change.guardian_id' as never)
          .where('student.branch_id', '=', branchId),
      ),
  },
  order,
  show: (row): Found => row,
})
