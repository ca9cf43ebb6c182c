import * as v from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
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
import { STUDENT_STATUSES, type StudentStatus } from '../tables.ts'
import { checkBirthDate } from './birth-date.ts'
import { countStudent, isInPlan } from './count.ts'
import { studentRecord } from './row.ts'
import type { StatusChange, StudentChanges, StudentDetail } from './schemas.ts'
import { addPause, endPauses } from './pauses.ts'
import { replaceTags } from './tags.ts'

export const StatusMoveRefused = failure(
  'CONFLICT',
  'status_move_refused',
  'The student cannot move from the present status to this one; details.allowed names those that are possible.',
  {
    details: {
      schema: explained(
        v.object({
          status: v.picklist(STUDENT_STATUSES),
          allowed: v.array(v.picklist(STUDENT_STATUSES)),
        }),
        { status: 'How the record stands.', allowed: 'The statuses to which it can move.' },
      ),
      example: { status: 'lead', allowed: ['active', 'withdrawn'] },
    },
  },
)

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

const MOVES: Readonly<Record<StudentStatus, readonly StudentStatus[]>> = {
  lead: ['active', 'withdrawn'],
  active: ['paused', 'graduated', 'withdrawn'],
  paused: ['active', 'withdrawn'],
  withdrawn: ['active'],
  graduated: ['active'],
}

/** Records student.status_changed. @throws NotFound, StatusMoveRefused, QuotaExceeded for who comes back */
export const changeStatus = async (tx: Tx, id: string, { status, reason }: StatusChange): Promise<StudentDetail> => {
  const row = await lockRow(tx, studentRecord, id)
  const allowed = MOVES[row.status]
  if (!allowed.includes(status)) throw StatusMoveRefused({ status: row.status, allowed: [...allowed] })
  const [before, after] = [isInPlan(row), isInPlan({ ...row, status })]
  if (before !== after) await countStudent(tx, after ? 1 : -1)
  if (row.status === 'paused') await endPauses(tx, id)
  if (status === 'paused') await addPause(tx, id, { from: tx.today, to: null })
  tx.emit('student.status_changed', { studentId: id, previousStatus: row.status, status })
  return changeRecord(tx, studentRecord, row, { status }, reason === undefined ? {} : { metadata: { reason } })
}

/** Also deletes the student's links to guardians. @throws NotFound, StudentInUse */
export const deleteStudent = async (tx: Tx, id: string) => {
  const row = await lockToDelete(tx, studentRecord, id)
  noticeUnlinked(tx, row)
  await unlinkAllGuardians(tx, row)
  if (isInPlan(row)) await countStudent(tx, -1)
  return deleteRecord(tx, studentRecord, row)
}
