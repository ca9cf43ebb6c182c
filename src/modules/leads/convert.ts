import type { InferOutput } from 'valibot'
import { failure } from '#kernel/values/errors.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addFamily, changeStatus, studentRecord, type Student } from '#modules/people/index.ts'
import { changeRecord, findRow, lockRow, readRecord, type LockedRow, type Row } from '#runtime/records/records.ts'
import { guardiansOfLead, studentOfLead } from './family.ts'
import { leadRecord } from './record.ts'

export const AlreadyConverted = failure('CONFLICT', 'already_converted', 'The lead has become a student already.')

/** Locks the lead's student first, then the lead. @returns the lead's row @throws NotFound, AlreadyConverted */
export const lockOpenLead = async (tx: Tx, id: string): Promise<LockedRow<'lead'>> => {
  const { student_id: studentId } = await findRow(tx.db, leadRecord, id)
  if (studentId !== null) await lockRow(tx, studentRecord, studentId)
  const lead = await lockRow(tx, leadRecord, id)
  if (lead.status === 'converted') throw AlreadyConverted()
  return lead
}

/** Says whom a locked lead has become. @param guardianId null: the one whom it names already, if any */
export const closeLead = async (
  tx: Tx,
  lead: LockedRow<'lead'>,
  { studentId, guardianId }: { studentId: string; guardianId: string | null },
): Promise<void> => {
  const becomes = { studentId, guardianId: guardianId ?? lead.guardian_id, unlinkedBranchId: null }
  await changeRecord(tx, leadRecord, lead, { status: 'converted', ...becomes })
}

/**
 * Links the guardian whom a lead names to its student, of one that waited for it because the phone is that of somebody of
 * another name. @returns null: it names nobody
 */
export const linkNamed = async (tx: Tx, lead: Row<'lead'>, studentId: string): Promise<string | null> => {
  const guardians = guardiansOfLead(lead)
  if (guardians.length === 0) return null
  const family = { guardians, students: [{ id: studentId }] }
  return (await addFamily({ students: tx, guardians: tx }, family)).guardians[0]?.id ?? null
}

/**
 * Converts a lead: its person becomes an active student, with the student's events. A person who is no student yet
 * becomes one, with the guardian that the lead names. From here on, the student of a registration counts against the
 * quota.
 * @throws NotFound, AlreadyConverted, QuotaExceeded, StudentNumbersUsedUp, GuardianPhoneTaken for a guardian whom the caller does not
 * reach
 */
export const convertLead = async (tx: Tx, id: string): Promise<InferOutput<typeof Student>> => {
  const lead = await lockOpenLead(tx, id)
  let { student_id: studentId, guardian_id: guardianId } = lead
  if (studentId === null) {
    // A lead without a student has a branch.
    const student = studentOfLead(lead, lead.unlinked_branch_id as string)
    const family = { guardians: guardiansOfLead(lead), students: [student] }
    const added = await addFamily({ students: tx, guardians: tx }, family)
    studentId = added.studentIds[0] as string
    guardianId = added.guardians[0]?.id ?? null
  } else guardianId ??= await linkNamed(tx, lead, studentId)
  await closeLead(tx, lead, { studentId, guardianId })
  const before = await readRecord(tx.db, studentRecord, studentId)
  const student = before.status === 'active' ? before : await changeStatus(tx, studentId, { status: 'active' })
  const { branchId, studentNumber, firstName, lastName, fullName, status, createdAt } = student
  return { id: studentId, branchId, studentNumber, firstName, lastName, fullName, status, createdAt }
}
