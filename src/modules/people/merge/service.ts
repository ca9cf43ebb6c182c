import * as v from 'valibot'
import type { Caller } from '#kernel/who/actor.ts'
import { failure } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import { inPart } from '#kernel/values/parts.ts'
import type { PersonColumn } from '#kernel/contract/person-columns.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import {
  changeRecord,
  changesOf,
  isEmpty,
  lockRow,
  lockToDelete,
  type LockedRow,
  type RecordOf,
  type RowToDelete,
} from '#runtime/records/records.ts'
import { mergedAccount } from '../account.ts'
import { guardianRecord, toGuardian } from '../guardians/service.ts'
import { countStudent, isInPlan } from '../students/count.ts'
import { studentRecord, toDetail } from '../students/row.ts'
import type { StudentChanges } from '../students/schemas.ts'
import { replaceTags } from '../students/tags.ts'
import type { StudentStatus } from '../tables.ts'
import { lookAt, moveAll, type Counted } from './moves.ts'
import { MergeCount, type GuardianMerge, type Merge, type StudentMerge } from './schemas.ts'

export const MergeWithItself = failure('CONFLICT', 'merge_with_itself', 'A record is not merged with itself.')
export const MergeRefused = failure(
  'CONFLICT',
  'merge_refused',
  'Both records have what there is once for a person; details.against says what. Remove one of the two first.',
  {
    details: {
      schema: explained(v.object({ against: v.array(MergeCount) }), { against: 'What both have.' }),
      example: { against: [{ what: 'exam_result', count: 1 }] },
    },
  },
)

/** The columns of all modules in which somebody is named. */
export type PersonColumns = () => readonly PersonColumn[]

interface Asked extends Merge {
  id: string
  caller: Caller
  columns: PersonColumns
}

interface Locked<T extends 'student' | 'guardian'> {
  kept: LockedRow<T>
  other: RowToDelete<T>
}

/** Locks both, in one order for all who lock several. @throws MergeWithItself, NotFound */
const lockBoth = async <T extends 'student' | 'guardian', Reply>(
  tx: Tx,
  record: RecordOf<T, Reply>,
  { id, otherId }: Asked,
): Promise<Locked<T>> => {
  if (id === otherId) throw MergeWithItself()
  const other = () => inPart([], () => lockToDelete(tx, record, otherId), { not_found: 'otherId' })
  if (id < otherId) return { kept: await lockRow(tx, record, id), other: await other() }
  const locked = await other()
  return { kept: await lockRow(tx, record, id), other: locked }
}

interface WithAccount {
  user_id: string | null
}

/** What stands against it beyond the rows of modules: one person has one account. */
const bothHaveAccounts = (kept: WithAccount, other: WithAccount): Counted[] =>
  kept.user_id !== null && other.user_id !== null ? [{ what: 'account', count: 1 }] : []

/** What one record lacks and the other has. */
const gaps = <Row extends object, Name extends keyof Row & string>(kept: Row, other: Row, names: readonly Name[]) =>
  Object.fromEntries(names.filter((name) => kept[name] === null).map((name) => [name, other[name]])) as Pick<Row, Name>

/** What is taken from the other record: each field that can be changed, so that a new one is not lost in a merge. */
type Taken = Required<Omit<StudentChanges, 'branchId' | 'firstName' | 'lastName' | 'userId' | 'version'>>

/** How far a student is: of two, the one who is further says how the student stands. */
const FURTHER: readonly StudentStatus[] = ['lead', 'withdrawn', 'graduated', 'paused', 'active']

const furtherOf = (one: StudentStatus, other: StudentStatus): StudentStatus =>
  FURTHER.indexOf(other) > FURTHER.indexOf(one) ? other : one

/** The days that belong to how a student stands. */
const daysOf = ({ paused_from, paused_to, left_on, leaving_as }: LockedRow<'student'>) => ({
  pausedFrom: paused_from,
  pausedTo: paused_to,
  leftOn: left_on,
  leavingAs: leaving_as,
})

/**
 * Merges two records of one student: all that hangs on the other moves, what this one lacks is taken from it, and the
 * other is kept as what it was. Records student.updated, and student.status_changed where the other was further.
 * @throws NotFound, MergeWithItself, MergeRefused, PermissionEscalation, OwnAccountLink
 */
export const mergeStudents = async (tx: Tx, asked: Asked): Promise<StudentMerge> => {
  const { whole } = tx
  const { id, otherId, dryRun, caller } = asked
  const { kept, other } = await lockBoth(tx, studentRecord, asked)
  const columns = asked.columns().filter(({ of }) => of === 'student')
  const { moves, against } = await lookAt(whole, columns, { id, otherId })
  against.push(...bothHaveAccounts(kept, other))
  if (dryRun) return { dryRun, moves, against, student: null }
  if (against.length > 0) throw MergeRefused({ against })
  const userId = await mergedAccount(tx, caller, 'student', { kept, other })
  await keepAside(tx, { student_id: id, student_number: other.student_number }, toDetail(other), otherId)
  await moveAll(tx, columns, { id, otherId, otherBranchId: other.branch_id })
  await whole.deleteFrom('student').where('id', '=', otherId).execute()
  const { email, phone, national_id, birth_date, gender, address, notes } = gaps(kept, other, [
    'email',
    'phone',
    'national_id',
    'birth_date',
    'gender',
    'address',
    'notes',
  ])
  const status = furtherOf(kept.status, other.status)
  const fromRegistration = kept.from_registration && other.from_registration
  // Two become one, who counts only where one of them did: never more than before, so that no plan stands against it.
  const counted = [kept, other].filter(isInPlan).length
  const counts = isInPlan({ status, from_registration: fromRegistration }) ? 1 : 0
  if (counts !== counted) await countStudent(tx, counts - counted)
  const tags = [...new Set([...kept.tags, ...other.tags])]
  const taken: Taken = { email, phone, nationalId: national_id, birthDate: birth_date, gender, address, notes, tags }
  const changes = changesOf(kept, taken)
  await replaceTags(tx, kept, tags)
  if (!isEmpty(changes)) tx.emit('student.updated', { studentId: id, changes })
  if (status !== kept.status) {
    tx.emit('student.status_changed', { studentId: id, previousStatus: kept.status, status })
  }
  const note = { metadata: { mergedId: otherId, mergedNumber: other.student_number } }
  const standing = daysOf(status === kept.status ? kept : other)
  const wanted = { ...taken, ...standing, status, fromRegistration, userId }
  const student = await changeRecord(tx, studentRecord, kept, wanted, note)
  return { dryRun, moves, against, student }
}

/** Merges two records of one guardian, as students are merged. @throws as `mergeStudents` */
export const mergeGuardians = async (tx: Tx, asked: Asked): Promise<GuardianMerge> => {
  const { whole } = tx
  const { id, otherId, dryRun, caller } = asked
  const { kept, other } = await lockBoth(tx, guardianRecord, asked)
  const columns = asked.columns().filter(({ of }) => of === 'guardian')
  const { moves, against } = await lookAt(whole, columns, { id, otherId })
  against.push(...bothHaveAccounts(kept, other))
  if (dryRun) return { dryRun, moves, against, guardian: null }
  if (against.length > 0) throw MergeRefused({ against })
  const userId = await mergedAccount(tx, caller, 'guardian', { kept, other })
  await keepAside(tx, { guardian_id: id }, toGuardian(other), otherId)
  await moveAll(tx, columns, { id, otherId, otherBranchId: null })
  await whole.deleteFrom('guardian').where('id', '=', otherId).execute()
  const {
    phone,
    email,
    national_id: nationalId,
    address,
  } = gaps(kept, other, ['phone', 'email', 'national_id', 'address'])
  const note = { metadata: { mergedId: otherId } }
  const guardian = await changeRecord(tx, guardianRecord, kept, { phone, email, nationalId, address, userId }, note)
  return { dryRun, moves, against, guardian }
}

/** Keeps what the other record was: its id answers where it has gone. */
const keepAside = async (
  tx: Tx,
  into: { student_id: string; student_number: string } | { guardian_id: string },
  record: object,
  otherId: string,
): Promise<void> => {
  await tx.whole
    .insertInto('merged_record')
    .values({
      id: otherId,
      student_id: null,
      guardian_id: null,
      student_number: null,
      ...into,
      record,
      merged_at: tx.now,
    })
    .execute()
  const entityType = 'student_id' in into ? 'student' : 'guardian'
  tx.audit({ entityType, entityId: otherId, before: record, metadata: { mergedInto: Object.values(into)[0] } })
}
