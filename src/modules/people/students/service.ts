import type { Caller } from '#kernel/who/actor.ts'
import { withStoredIdentity } from '#kernel/values/identity-number.ts'
import { withStoredPhone } from '#kernel/values/phone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import {
  changeRecord,
  changesOf,
  deleteRecord,
  isEmpty,
  lockReferenced,
  lockRow,
  lockToDelete,
} from '#runtime/records/records.ts'
import { changedAccount, noticeUnlinked } from '../account.ts'
import { unlinkAllGuardians } from '../links/service.ts'
import { checkBirthDate } from './birth-date.ts'
import { countStudent, isInPlan } from './count.ts'
import { studentRecord } from './row.ts'
import type { StudentChanges, StudentDetail } from './schemas.ts'
import { replaceTags } from './tags.ts'

/**
 * Records student.updated with the fields that changed.
 * @throws NotFound for the student or a new branch, VERSION_CONFLICT, UserTaken, VALIDATION_ERROR, and what
 * changedAccount throws
 */
export const changeStudent = async (
  tx: Tx,
  caller: Caller,
  { id, version, userId, ...body }: StudentChanges & { id: string },
): Promise<StudentDetail> => {
  const row = await lockRow(tx, studentRecord, id, version)
  checkBirthDate(tx, body)
  const numbers = withStoredIdentity(tx, withStoredPhone(tx, body))
  const wanted = { ...numbers, userId: await changedAccount(tx, caller, row, { kind: 'student', userId }) }
  const changes = changesOf(row, wanted)
  if (changes.branchId) await lockReferenced(tx, 'branch', changes.branchId[1])
  if (changes.tags) await replaceTags(tx, row, changes.tags[1])
  if (!isEmpty(changes)) tx.emit('student.updated', { studentId: id, changes })
  return changeRecord(tx, studentRecord, row, wanted)
}

/** Also deletes the student's links to guardians. @throws NotFound, StudentInUse */
export const deleteStudent = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, studentRecord, id)
  noticeUnlinked(tx, row)
  await unlinkAllGuardians(tx, row)
  if (isInPlan(row)) await countStudent(tx, -1)
  return deleteRecord(tx, studentRecord, row)
}
