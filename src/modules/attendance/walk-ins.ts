import type { InferOutput } from 'valibot'
import { planSearch, searchConditions } from '#db/queries/search.ts'
import { failure, found } from '#kernel/values/errors.ts'
import { countryOfZone, normalisePhone } from '#kernel/values/phone.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import type { Page } from '#kernel/values/schema.ts'
import { fullName, knownGuardians } from '#modules/people/index.ts'
import { sessionRecord, type SessionRow } from '#modules/sessions/index.ts'
import { listOf, type ListContext } from '#runtime/records/lists.ts'
import { findRow, lockReferenced, lockRow } from '#runtime/records/records.ts'
import { foldQuery } from '#shared/text.ts'
import { checkMarkable, markEntries } from './mark.ts'
import { readRoster } from './roster.ts'
import type { Roster } from './schemas.ts'
import type { NewWalkIn, WalkIn, WalkInCandidates, WalkInQuery } from './walk-in-schemas.ts'

/*
 * Somebody is in a lesson who is not on its list. Whoever marks it adds them to it at once; whether they are enrolled is
 * decided by who enrolls. Until then they wait in a list.
 */

export const AlreadyOnRoster = failure(
  'CONFLICT',
  'already_on_roster',
  'The student is on the roster of this session already: mark them there.',
)

/** More would say more of others than whoever stands in the door needs. */
const MOST_CANDIDATES = 10

/** Who may walk in: students of the branch who have not left. */
const studentsOf = (whole: ScopedDb, branchId: string) =>
  whole
    .selectFrom('student')
    .select(['student.id', 'student.first_name', 'student.last_name', 'student.student_number'])
    .where('student.branch_id', '=', branchId)
    .where('student.status', 'not in', ['graduated', 'withdrawn'])

const branchOf = async (whole: ScopedDb, { group_id: groupId }: SessionRow): Promise<string> =>
  found(await whole.selectFrom('group').select('branch_id').where('id', '=', groupId).executeTakeFirst()).branch_id

/** The children of whoever has this phone, if it is one. */
const childrenOfPhone = async (whole: ScopedDb, q: string, timezone: string): Promise<string[]> => {
  const phone = normalisePhone(q, countryOfZone(timezone))
  if (phone === undefined) return []
  return (await knownGuardians(whole, phone, whole)).flatMap(({ children }) => children.map(({ id }) => id))
}

/** Students of the branch of a session who may stand there and are not on its roster. @throws NotFound */
export const findCandidates = async (
  { db, whole, tenant }: { db: ScopedDb; whole: ScopedDb; tenant: TenantInfo },
  sessionId: string,
  q: string,
): Promise<WalkInCandidates> => {
  const session = await findRow(db, sessionRecord, sessionId)
  const branchId = await branchOf(whole, session)
  const words = await planSearch(whole, 'student', foldQuery(q))
  const children = await childrenOfPhone(whole, q, tenant.timezone)
  const there = new Set((await readRoster({ whole, tenant }, session)).entries.map(({ studentId }) => studentId))
  const rows = await studentsOf(whole, branchId)
    .where(({ and, or, eb }) =>
      or([and(searchConditions('student', words)), ...(children.length > 0 ? [eb('student.id', 'in', children)] : [])]),
    )
    .orderBy('student.created_at', 'desc')
    .orderBy('student.id', 'desc')
    .limit(MOST_CANDIDATES + there.size)
    .execute()
  const students = rows
    .filter(({ id }) => !there.has(id))
    .slice(0, MOST_CANDIDATES)
    .map((row) => ({ studentId: row.id, fullName: fullName(row), studentNumber: row.student_number }))
  return { students }
}

/**
 * Adds somebody to a session who is not on its roster, and marks them. @throws NotFound also for a student of another
 * branch or who has left, SessionCancelled, SessionAhead, AlreadyOnRoster
 */
export const addWalkIn = async (tx: Tx, sessionId: string, walkIn: NewWalkIn): Promise<Roster> => {
  const session = await lockRow(tx, sessionRecord, sessionId)
  checkMarkable(tx, session)
  const branchId = await branchOf(tx.whole, session)
  const { studentId } = walkIn
  await lockReferenced({ db: tx.whole }, 'student', studentId)
  found(await studentsOf(tx.whole, branchId).where('student.id', '=', studentId).executeTakeFirst())
  const roster = await readRoster(tx, session)
  if (roster.entries.some((entry) => entry.studentId === studentId)) throw AlreadyOnRoster()
  return markEntries(tx, session, { roster, marks: [walkIn], walkInAt: tx.now })
}

/** Leaves somebody who walked in as they are: in that lesson, and not enrolled. @throws NotFound also where nobody waits */
export const settleWalkIn = async (tx: Tx, sessionId: string, studentId: string): Promise<{ ok: true }> => {
  await lockRow(tx, sessionRecord, sessionId)
  const settled = await tx.whole
    .updateTable('attendance')
    .set({ walk_in_at: null })
    .where('session_id', '=', sessionId)
    .where('student_id', '=', studentId)
    .where('walk_in_at', 'is not', null)
    .returning('student_id')
    .executeTakeFirst()
  found(settled)
  tx.audit({ entityType: 'session', entityId: sessionId, metadata: { studentId, enrolled: false } })
  return { ok: true }
}

/** Who walked in and is not in the group yet. */
const waiting = (db: ScopedDb) =>
  db
    .selectFrom('attendance')
    .innerJoin('session', 'session.id', 'attendance.session_id')
    .innerJoin('group', 'group.id', 'session.group_id')
    .where('attendance.walk_in_at', 'is not', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('enrollment')
            .select('enrollment.id')
            .whereRef('enrollment.group_id', '=', 'session.group_id')
            .whereRef('enrollment.student_id', '=', 'attendance.student_id')
            .where('enrollment.status', '=', 'active'),
        ),
      ),
    )

const walkIns = listOf({
  filters: { branchId: 'group.branch_id', groupId: 'session.group_id' },
  from: (db) =>
    waiting(db)
      .innerJoin('student', 'student.id', 'attendance.student_id')
      .select(['session.id', 'session.group_id', 'session.scheduled_start', 'group.name as group_name'])
      .select(['student.id as student_id', 'student.first_name', 'student.last_name'])
      .select(['attendance.status', 'attendance.note', 'attendance.walk_in_at']),
  order: {
    columns: ['attendance.session_id', 'attendance.student_id'],
    direction: 'asc',
    position: (row) => [row.id, row.student_id],
  },
  show: (row): WalkIn => ({
    sessionId: row.id,
    groupId: row.group_id,
    groupName: row.group_name,
    scheduledStart: row.scheduled_start,
    studentId: row.student_id,
    studentName: fullName(row),
    status: row.status,
    note: row.note,
    addedAt: row.walk_in_at as string,
  }),
})

export const listWalkIns = (
  context: ListContext<ScopedDb> & { query: InferOutput<typeof WalkInQuery> },
): Promise<Page<WalkIn>> => walkIns(context)

/** How many wait. @param branchId undefined: in all that is reached */
export const countWalkIns = async (db: ScopedDb, branchId: string | undefined): Promise<number> => {
  const counted = await waiting(db)
    .$if(branchId !== undefined, (all) => all.where('group.branch_id', '=', branchId as string))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return counted.count
}
