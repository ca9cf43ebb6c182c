import type { Caller } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { found, invalid, NotFound } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import { changeGuardian, changeStudent, guardianRecord, studentRecord } from '#modules/people/index.ts'
import type { ListContext } from '#runtime/records/lists.ts'
import { changeRecord, lockRow, type LockedRow } from '#runtime/records/records.ts'
import { detailsOf, fieldsOf, pick, type Proposed } from './fields.ts'
import { noticeDecided } from './notices.ts'
import {
  ChangedMeanwhile,
  listOfGuardians,
  listOfStudents,
  NotOpen,
  proposalRecord,
  relationshipsOf,
  seenOf,
  toProposal,
} from './record.ts'
import type { Acceptance, ProposalQuery, ProposedChange, Refusal } from './schemas.ts'

/** A record is changed by a proposal as it is by hand: by whoever may, and where they may. */
export const EDITING = { student: 'students.write', guardian: 'guardians.write' } as const satisfies Record<
  string,
  Permission
>

interface Asked extends ListContext<ScopedDb> {
  whole: ScopedDb
  query: ProposalQuery
  reachedBy: (permission: Permission) => Promise<ScopedDb | undefined>
}

/** What waits, or was decided, of all records that the caller may change: those of students and of guardians in one order. */
export const listProposals = async ({ whole, reachedBy, ...asked }: Asked): Promise<Page<ProposedChange>> => {
  const { query, cursors } = asked
  const pages = []
  for (const [permission, list] of [
    [EDITING.student, listOfStudents],
    [EDITING.guardian, listOfGuardians],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one connection reads one thing at a time
    const db = await reachedBy(permission)
    // oxlint-disable-next-line no-await-in-loop
    if (db) pages.push(await list({ ...asked, db }))
  }
  const rows = pages
    .flatMap(({ data }) => data)
    .toSorted((one, other) => (`${one.created_at} ${one.id}` < `${other.created_at} ${other.id}` ? -1 : 1))
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  const isMore = rows.length > shown.length || pages.some(({ nextCursor }) => nextCursor !== null)
  const relationshipOf = await relationshipsOf(whole, shown)
  return {
    data: shown.map((row) => toProposal(row, relationshipOf(row))),
    nextCursor: isMore && last ? cursors.encode([last.created_at, last.id]) : null,
  }
}

/** How many wait of the records that the caller may change; null: they may change none. */
export const countProposals = async (
  reachedBy: (permission: Permission) => Promise<ScopedDb | undefined>,
  branchId: string | undefined,
): Promise<number | null> => {
  const students = await reachedBy(EDITING.student)
  const guardians = await reachedBy(EDITING.guardian)
  if (!students && !guardians) return null
  const ofStudents = await students
    ?.selectFrom('proposed_change')
    .innerJoin('student', 'student.id', 'proposed_change.student_id')
    .$if(branchId !== undefined, (all) => all.where('student.branch_id', '=', branchId as string))
    .where('proposed_change.status', '=', 'open')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const ofGuardians = await guardians
    ?.selectFrom('proposed_change')
    .innerJoin('guardian', 'guardian.id', 'proposed_change.guardian_id')
    .$if(branchId !== undefined, (all) =>
      all.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('guardian_link')
            .innerJoin('student', 'student.id', 'guardian_link.student_id')
            .select('guardian_link.id')
            .whereRef('guardian_link.guardian_id', '=', 'proposed_change.guardian_id')
            .where('student.branch_id', '=', branchId as string),
        ),
      ),
    )
    .where('proposed_change.status', '=', 'open')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return (ofStudents?.count ?? 0) + (ofGuardians?.count ?? 0)
}

interface Deciding {
  /** Limited to what the caller may change. */
  tx: Tx
  row: LockedRow<'proposed_change'>
  isStudent: boolean
  recordId: string
}

/**
 * Locks what a proposal is about, then the proposal: in the order of a merge, which moves it.
 * @throws NotFound for who may not change the record, NotOpen, ChangedMeanwhile
 */
const deciding = async (given: Tx, caller: Caller, id: string, seen: string): Promise<Deciding> => {
  const before = found(await proposalRecord.byId(given.whole, { id }).then(([row]) => row))
  const isStudent = before.student_id !== null
  const reach = caller.grants.reach(isStudent ? EDITING.student : EDITING.guardian)
  if (reach === undefined) throw NotFound()
  const tx = given.within(reach)
  const recordId = (before.student_id ?? before.guardian_id) as string
  const stands = detailsOf(
    isStudent ? await lockRow(tx, studentRecord, recordId) : await lockRow(tx, guardianRecord, recordId),
  )
  const row = await lockRow(tx, proposalRecord, id)
  if (row.status !== 'open') throw NotOpen()
  if (seen !== seenOf(row, stands)) throw ChangedMeanwhile()
  return { tx, row, isStudent, recordId }
}

const decide = async (
  { tx, row }: Deciding,
  caller: Caller,
  outcome: Pick<LockedRow<'proposed_change'>, 'status' | 'remark'> & { acceptedFields: ProposedChange['fields'] },
): Promise<ProposedChange> => {
  noticeDecided(tx, row.id)
  return changeRecord(tx, proposalRecord, row, {
    ...outcome,
    decidedByUserId: caller.actor.type === 'user' ? caller.actor.userId : null,
    decidedAt: tx.now,
  })
}

/**
 * Writes what was proposed, by the rules by which the record is changed by hand.
 * @throws NotFound, NotOpen, ChangedMeanwhile, VALIDATION_ERROR, and what changeStudent and changeGuardian throw
 */
export const acceptProposal = async (
  given: Tx,
  caller: Caller,
  id: string,
  { seen, fields, remark }: Acceptance,
): Promise<ProposedChange> => {
  const open = await deciding(given, caller, id, seen)
  const { tx, row, isStudent, recordId } = open
  const all = fieldsOf(row.proposed)
  const acceptedFields = fields === undefined ? all : all.filter((field) => fields.includes(field))
  if (fields?.some((field) => !all.includes(field))) throw invalid(['fields'], 'Must be fields that were proposed.')
  const { birthDate, phone, ...changes }: Proposed = pick(row.proposed, acceptedFields)
  await (isStudent
    ? changeStudent(tx, caller, { id: recordId, birthDate, phone, ...changes })
    : changeGuardian(tx, caller, { id: recordId, phone: phone ?? undefined, ...changes }))
  return decide(open, caller, { status: 'accepted', acceptedFields, remark: remark ?? null })
}

/** @throws NotFound, NotOpen, ChangedMeanwhile */
export const declineProposal = async (
  given: Tx,
  caller: Caller,
  id: string,
  { seen, remark }: Refusal,
): Promise<ProposedChange> =>
  decide(await deciding(given, caller, id, seen), caller, { status: 'declined', acceptedFields: [], remark })
