import type { InferOutput } from 'valibot'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { Forbidden, found, invalid, NotFound } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate } from '#kernel/time/zone.ts'
import { fullName, studentRecord } from '#modules/people/index.ts'
import { listOf, listUnder, type ListContext } from '#runtime/records/lists.ts'
import { createRecord, deleteRecord, lockReferencedRow, lockToDelete, recordOf } from '#runtime/records/records.ts'
import { Absence, type AbsenceQuery, type NewAbsence } from './schemas.ts'

const LONGEST_DAYS = 366

const shown = (db: ScopedDb) =>
  db
    .selectFrom('announced_absence')
    .innerJoin('student', 'student.id', 'announced_absence.student_id')
    .selectAll('announced_absence')
    .select(['student.first_name', 'student.last_name'])

interface Names {
  first_name: string
  last_name: string
}

const toAbsence = shows(Absence, {
  studentName: (row: Names) => fullName(row),
  from: (row: { from_date: string }) => row.from_date,
  to: (row: { to_date: string }) => row.to_date,
})

const absences = {
  from: shown,
  order: {
    columns: ['announced_absence.from_date', 'announced_absence.id'],
    direction: 'desc',
    position: (row: { from_date: string; id: string }) => [row.from_date, row.id],
  },
  show: toAbsence,
} as const

const absencesOfDays = listOf({
  ...absences,
  filters: {
    from: (eb, from: string) => eb('announced_absence.to_date', '>=', from),
    begunSince: (eb, day: string) => eb('announced_absence.from_date', '>=', day),
    to: (eb, to: string) => eb('announced_absence.from_date', '<=', to),
    branchId: 'student.branch_id',
  },
})

/** Last begun first; from today on, unless the query says from when. */
export const listAbsences = (
  context: ListContext<ScopedDb> & { tenant: TenantInfo; now: string; query: InferOutput<typeof AbsenceQuery> },
): Promise<Page<Absence>> => {
  const { now, tenant, query } = context
  const { from = localDate(now, tenant.timezone) } = query
  // None is longer, so no other has a day in that time: the index finds these.
  const begunSince = addDays(from, -LONGEST_DAYS)
  return absencesOfDays({ ...context, query: { ...query, from, begunSince } })
}

/** Last begun first. */
export const listAbsencesOfStudent = listUnder({ table: 'student', column: 'announced_absence.student_id' }, absences)

const absenceRecord = recordOf('announced_absence', {
  read: async (db: ScopedDb, id: string) =>
    toAbsence(found(await shown(db).where('announced_absence.id', '=', id).executeTakeFirst())),
  withoutUpdatedAt: true,
})

/** The record as a guardian of the student of whoever asks; undefined: they are none. */
const guardianOf = async ({ whole }: Tx, { actor }: Caller, studentId: string): Promise<string | undefined> => {
  if (actor.type !== 'user') return undefined
  const link = await whole
    .selectFrom('guardian_link')
    .innerJoin('guardian', 'guardian.id', 'guardian_link.guardian_id')
    .select('guardian.id')
    .where('guardian_link.student_id', '=', studentId)
    .where('guardian_link.sees_learning', '=', true)
    .where('guardian.user_id', '=', actor.userId)
    .executeTakeFirst()
  return link?.id
}

/**
 * For whom somebody announces: the office for the students whom it reaches, a guardian for their own children.
 * @returns the handle that reaches the student, and who the guardian is
 * @throws NotFound, Forbidden for anybody else
 */
const announcing = async (
  tx: Tx,
  caller: Caller,
  studentId: string,
): Promise<{ tx: Tx; byGuardianId: string | null }> => {
  const reached = await tx.db.selectFrom('student').select('id').where('id', '=', studentId).executeTakeFirst()
  if (reached) return { tx, byGuardianId: null }
  const guardianId = await guardianOf(tx, caller, studentId)
  if (guardianId !== undefined) return { tx: tx.within('all'), byGuardianId: guardianId }
  const isOffice = caller.grants.holds('students.write') || caller.grants.holds('attendance.mark')
  if (!isOffice) throw Forbidden({ reason: 'permission_missing', permissions: ['students.write'] })
  throw NotFound()
}

const checkDays = ({ today }: Tx, { from, to }: NewAbsence): void => {
  if (to < from) throw invalid(['to'], 'Must not be before from.')
  if (to < today) throw invalid(['to'], 'Must not be in the past.')
  if (to > addDays(from, LONGEST_DAYS)) throw invalid(['to'], `Must be at most ${LONGEST_DAYS} days after from.`)
}

/** @throws NotFound, Forbidden, VALIDATION_ERROR */
export const announceAbsence = async (
  given: Tx,
  caller: Caller,
  studentId: string,
  body: NewAbsence,
): Promise<Absence> => {
  const { tx, byGuardianId } = await announcing(given, caller, studentId)
  await lockReferencedRow({ db: tx.whole }, studentRecord, studentId)
  checkDays(tx, body)
  return createRecord(tx, absenceRecord, {
    studentId,
    fromDate: body.from,
    toDate: body.to,
    reason: body.reason,
    byGuardianId,
    announcedByUserId: caller.actor.type === 'user' ? caller.actor.userId : null,
  })
}

/** Takes back what was announced. @throws NotFound, Forbidden */
export const withdrawAbsence = async (given: Tx, caller: Caller, id: string) => {
  const { student_id: studentId } = found(
    await given.whole.selectFrom('announced_absence').select('student_id').where('id', '=', id).executeTakeFirst(),
  )
  const { tx } = await announcing(given, caller, studentId)
  return deleteRecord(tx, absenceRecord, await lockToDelete(tx, absenceRecord, id))
}
