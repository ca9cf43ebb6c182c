import * as v from 'valibot'
import { checkAround } from '#kernel/values/days-around.ts'
import { failure, invalid } from '#kernel/values/errors.ts'
import { explained } from '#kernel/values/named.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { changeRecord, changesOf, isEmpty, lockRow, type LockedRow, type Row } from '#runtime/records/records.ts'
import { STUDENT_STATUSES, type StudentStatus } from '../tables.ts'
import { countStudent, isInPlan } from './count.ts'
import { addPause, endPauses, standingPause } from './pauses.ts'
import { studentRecord } from './row.ts'
import type { StatusChange, StudentDetail } from './schemas.ts'

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

const MOVES: Readonly<Record<StudentStatus, readonly StudentStatus[]>> = {
  lead: ['active', 'withdrawn'],
  active: ['paused', 'graduated', 'withdrawn'],
  paused: ['active', 'withdrawn'],
  withdrawn: ['active'],
  graduated: ['active'],
}

/** What becomes of the groups of a student who leaves: enrollments are another module's, which needs this one. */
export interface GroupsOfLeaver {
  /**
   * Ends what the student is enrolled in on their last day.
   * @param leaving `former`: the last day that was said before, whose ends it moves
   * @throws VALIDATION_ERROR for a day before the student was enrolled
   */
  end: (tx: Tx, studentId: string, leaving: { on: string; former: string | null; reason: string }) => Promise<void>
  /** Takes back the ends on that day. */
  lift: (tx: Tx, studentId: string, on: string) => Promise<void>
}

type Student = LockedRow<'student'>
type Dates = Pick<StudentDetail, 'pausedFrom' | 'pausedTo' | 'leftOn' | 'leavingAs'>

const NO_PAUSE = { pausedFrom: null, pausedTo: null }
const STAYS = { leftOn: null, leavingAs: null }

/** Writes how a locked student stands from now on, and counts them. @throws QuotaExceeded for who comes back */
const stand = async (
  tx: Tx,
  row: Student,
  { reason, ...wanted }: { status: StudentStatus; reason?: string | undefined } & Partial<Dates>,
): Promise<StudentDetail> => {
  const { id: studentId, status: previousStatus } = row
  const { status } = wanted
  const [before, after] = [isInPlan(row), isInPlan({ ...row, status })]
  if (before !== after) await countStudent(tx, after ? 1 : -1)
  const changes = changesOf(row, wanted)
  if (status !== previousStatus) tx.emit('student.status_changed', { studentId, previousStatus, status })
  else if (!isEmpty(changes)) tx.emit('student.updated', { studentId, changes })
  return changeRecord(tx, studentRecord, row, wanted, reason === undefined ? {} : { metadata: { reason } })
}

/** What was said before of days to come can be said anew, and taken back. */
const checkMove = (row: Row<'student'>, { status, pausedFrom, pausedTo }: StatusChange): void => {
  const allowed = MOVES[row.status]
  const isPlanned = row.paused_from !== null || row.leaving_as !== null
  const isAnew = status === row.status && (status === 'active' ? isPlanned : (pausedFrom ?? pausedTo) !== undefined)
  if (!allowed.includes(status) && !isAnew) throw StatusMoveRefused({ status: row.status, allowed: [...allowed] })
}

const DATED = { pausedFrom: ['paused'], pausedTo: ['paused'], leftOn: ['withdrawn', 'graduated'] } as const

/** @throws VALIDATION_ERROR */
const checkDates = ({ today }: Tx, body: StatusChange): void => {
  for (const field of ['pausedFrom', 'pausedTo', 'leftOn'] as const) {
    const day = body[field]
    if (day === undefined) continue
    const statuses: readonly string[] = DATED[field]
    if (!statuses.includes(body.status)) throw invalid([field], `Is said with status ${statuses.join(' or ')}.`)
    checkAround(today, field, day)
  }
}

/** How somebody stands today who is active but for their pauses. */
const byPauses = async (tx: Tx, studentId: string) => {
  const standing = await standingPause(tx, studentId)
  const status: StudentStatus = standing && standing.from <= tx.today ? 'paused' : 'active'
  return { status, pausedFrom: standing?.from ?? null, pausedTo: standing?.to ?? null }
}

const pause = async (tx: Tx, row: Student, { pausedFrom, pausedTo, reason }: StatusChange): Promise<StudentDetail> => {
  const from = pausedFrom ?? (row.status === 'paused' ? row.paused_from : null) ?? tx.today
  if (pausedTo !== undefined && pausedTo < from) throw invalid(['pausedTo'], 'Must not be before pausedFrom.')
  await addPause(tx, row.id, { from, to: pausedTo ?? null })
  return stand(tx, row, { ...(await byPauses(tx, row.id)), reason })
}

const leave = async (
  tx: Tx,
  row: Student,
  { status, leftOn, reason, groups }: StatusChange & { status: 'graduated' | 'withdrawn'; groups: GroupsOfLeaver },
): Promise<StudentDetail> => {
  const former = row.leaving_as === null ? null : row.left_on
  if (leftOn !== undefined) {
    await groups.end(tx, row.id, { on: leftOn, former, reason: `The student is ${status}.` })
  }
  if (leftOn !== undefined && leftOn > tx.today) {
    return stand(tx, row, { status: row.status, leftOn, leavingAs: status, reason })
  }
  await endPauses(tx, row.id)
  return stand(tx, row, { status, ...NO_PAUSE, leftOn: leftOn ?? tx.today, leavingAs: null, reason })
}

const comeBack = async (
  tx: Tx,
  row: Student,
  { reason, groups }: { reason?: string | undefined; groups: GroupsOfLeaver },
): Promise<StudentDetail> => {
  await endPauses(tx, row.id)
  if (row.leaving_as !== null && row.left_on !== null) await groups.lift(tx, row.id, row.left_on)
  return stand(tx, row, { status: 'active', ...NO_PAUSE, ...STAYS, reason })
}

/**
 * Moves a student to another status, now, on a day ahead or as of a former one; or takes back what was to come. Records
 * student.status_changed where the status differs at once.
 * @throws NotFound, StatusMoveRefused, VALIDATION_ERROR, QuotaExceeded for who comes back
 */
export const changeStatusOn = async (
  tx: Tx,
  id: string,
  body: StatusChange,
  groups: GroupsOfLeaver,
): Promise<StudentDetail> => {
  const { status, ...asked } = body
  const row = await lockRow(tx, studentRecord, id)
  checkMove(row, body)
  checkDates(tx, body)
  if (status === 'paused') return pause(tx, row, body)
  if (status === 'active') return comeBack(tx, row, { ...asked, groups })
  if (status === 'lead') throw new Error('nobody becomes a lead')
  return leave(tx, row, { ...asked, status, groups })
}

/** Moves a student to another status now. @throws NotFound, StatusMoveRefused, QuotaExceeded for who comes back */
export const changeStatus = async (
  tx: Tx,
  id: string,
  { status }: { status: StudentStatus },
): Promise<StudentDetail> => {
  const row = await lockRow(tx, studentRecord, id)
  checkMove(row, { status })
  return moveNow(tx, row, status)
}

/** A student without anything that lies ahead, and with the first day of a pause or the last day of who leaves. */
const moveNow = async (tx: Tx, row: Student, status: StudentStatus): Promise<StudentDetail> => {
  await endPauses(tx, row.id)
  if (status === 'paused') await addPause(tx, row.id, { from: tx.today, to: null })
  const left = status === 'withdrawn' || status === 'graduated' ? { ...STAYS, leftOn: tx.today } : STAYS
  return stand(tx, row, { status, pausedFrom: status === 'paused' ? tx.today : null, pausedTo: null, ...left })
}

/** Lets take effect what was said of a day that has come. */
export const takeEffect = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockRow(tx, studentRecord, id)
  const { status, left_on: leftOn, leaving_as: leavingAs } = row
  if (leavingAs !== null && leftOn !== null && leftOn <= tx.today) {
    await endPauses(tx, id)
    await stand(tx, row, { status: leavingAs, ...NO_PAUSE, leavingAs: null })
    return
  }
  // Somebody may have changed the status since the sweep looked.
  if (row.paused_from === null || (status !== 'active' && status !== 'paused')) return
  await stand(tx, row, await byPauses(tx, id))
}
