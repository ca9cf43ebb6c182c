import type { InferOutput } from 'valibot'
import type { Selectable } from 'kysely'
import { compiledInTenant } from '#db/compiled.ts'
import { keptInPlace, lockedForChange } from '#db/dialect.ts'
import type { Caller } from '#kernel/actor.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import { failure, Forbidden, invalid, NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb, Tables } from '#kernel/tables.ts'
import type { Tx } from '#kernel/unit-of-work.ts'
import { pageBy } from '#runtime/pages.ts'
import { longUntil } from '#modules/schedule-conflicts/index.ts'
import type { NewSession, Session, SessionChanges } from './schemas.ts'
import type { SessionStatus } from './tables.ts'
import { keepTeacher } from './teachers.ts'

export const SessionNotScheduled = failure(
  'CONFLICT',
  'session_not_scheduled',
  'A session that was held or cancelled can be neither cancelled nor moved to another time.',
)

export type SessionRow = Selectable<Tables['session']>

/** A session as it is shown. */
interface ShownRow extends SessionRow {
  /** Who gave it, once it was held. */
  given_by: string | null
}

export const toSession = (row: ShownRow): Session => ({
  id: row.id,
  groupId: row.group_id,
  scheduledStart: row.scheduled_start,
  scheduledEnd: row.scheduled_end,
  status: row.status,
  teacherStaffId: row.status === 'held' ? row.given_by : row.teacher_staff_id,
  topic: row.topic,
  notes: row.notes,
  lessonId: row.lesson_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const shown = (db: ScopedDb) =>
  db
    .selectFrom('session')
    .selectAll('session')
    .select((eb) =>
      eb
        .selectFrom('session_teacher')
        .select('session_teacher.staff_id')
        .whereRef('session_teacher.session_id', '=', 'session.id')
        .as('given_by'),
    )

interface SessionsQuery {
  cursor?: string | undefined
  limit: number
  from?: string | undefined
  to?: string | undefined
  status?: SessionStatus[] | undefined
}

/** The sessions of a group that begin from `from` to `to`, both inclusive, in order of time. */
export const listSessions = (
  db: ScopedDb,
  groupId: string,
  { from, to, status, ...page }: SessionsQuery,
  cursors: Cursors,
): Promise<Page<Session>> => {
  let query = shown(db).where('group_id', '=', groupId)
  if (from !== undefined) query = query.where('scheduled_start', '>=', from)
  if (to !== undefined) query = query.where('scheduled_start', '<=', to)
  if (status !== undefined) query = query.where('status', 'in', status)
  return pageBy(
    query,
    { ...page, cursors },
    {
      columns: ['session.scheduled_start', 'session.id'],
      direction: 'asc',
      position: (row) => [row.scheduled_start, row.id],
    },
    toSession,
  )
}

/** @throws NotFound when the caller reaches no such session */
export const findSession = async (db: ScopedDb, id: string): Promise<ShownRow> => {
  const row = await shown(db).where('session.id', '=', id).executeTakeFirst()
  if (!row) throw NotFound()
  return row
}

const lockedById = compiledInTenant((db, { id }: { id: string }) =>
  lockedForChange(db, db.selectFrom('session').selectAll().where('id', '=', id)),
)

/** The session, which nobody else changes until this change ends. @throws NotFound */
export const lockSession = async ({ db }: Tx, id: string): Promise<SessionRow> => {
  const [row] = await lockedById(db, { id })
  if (!row) throw NotFound()
  return row
}

/**
 * Writes on a locked session that it took place, and who gave it: whatever becomes of the group's teacher, that stays
 * (decisions 5). Where `rosterComplete`, also that its whole roster has an entry.
 */
export const markHeld = async (
  tx: Tx,
  session: SessionRow,
  { rosterComplete }: { rosterComplete: boolean },
): Promise<void> => {
  const { db, now } = tx
  if (session.status !== 'held') await keepTeacher(tx, session, session.teacher_staff_id)
  await db
    .updateTable('session')
    .set({ status: 'held', roster_complete_at: rosterComplete ? now : session.roster_complete_at, updated_at: now })
    .where('id', '=', session.id)
    .execute()
}

const checkTimes = (start: string, end: string): void => {
  if (end <= start) throw invalid(['scheduledEnd'], 'Must be later than scheduledStart.')
}

/** For a session that will name them. @throws NotFound */
const keepStaff = async (db: ScopedDb, id: string): Promise<void> => {
  const staff = db.selectFrom('staff').select('id').where('id', '=', id)
  if (!(await keptInPlace(db, staff).executeTakeFirst())) throw NotFound()
}

/** Adds a session outside the schedule. @throws NotFound for the teacher, VALIDATION_ERROR */
export const createSession = async (
  tx: Tx,
  groupId: string,
  body: InferOutput<typeof NewSession>,
): Promise<Session> => {
  checkTimes(body.scheduledStart, body.scheduledEnd)
  if (body.teacherStaffId) await keepStaff(tx.db, body.teacherStaffId)
  const row = {
    id: tx.id(),
    group_id: groupId,
    scheduled_start: body.scheduledStart,
    scheduled_end: body.scheduledEnd,
    status: 'scheduled' as const,
    teacher_staff_id: body.teacherStaffId ?? null,
    topic: body.topic ?? null,
    notes: null,
    lesson_id: null,
    occurrence_date: null,
    occurrence_slot: null,
    roster_complete_at: null,
    long_until: longUntil(body.scheduledStart, body.scheduledEnd),
    created_at: tx.now,
    updated_at: tx.now,
  }
  await tx.db.insertInto('session').values(row).execute()
  const session = toSession({ ...row, tenant_id: tx.tenant.id, given_by: null })
  tx.audit({ entityType: 'session', entityId: row.id, after: session })
  return session
}

/**
 * What a caller may change of a session, and among whom the substitute is looked for: whoever writes the group, among
 * the staff within reach; the group's own teacher, and who gives this session, among the staff of the group's branch. Whoever was to give a
 * session that was cancelled is its substitute no more, and an inactive member of the staff is nobody's teacher.
 * @throws Forbidden for anybody else
 */
const substitutesFor = async (tx: Tx, caller: Caller, session: SessionRow) => {
  const group = await tx.whole
    .selectFrom('group')
    .select(['branch_id', 'teacher_staff_id'])
    .where('id', '=', session.group_id)
    .executeTakeFirstOrThrow()
  const reach = caller.grants.reach('groups.write')
  if (reach === 'all' || reach?.branchIds.includes(group.branch_id) || reach?.groupIds.includes(session.group_id)) {
    return (id: string) => keepStaff(tx.db, id)
  }
  const substitute = session.status === 'cancelled' ? null : session.teacher_staff_id
  const teachers = [group.teacher_staff_id, substitute].filter((id) => id !== null)
  const own =
    caller.actor.type === 'user' && teachers.length > 0
      ? await tx.whole
          .selectFrom('staff')
          .select('id')
          .where('id', 'in', teachers)
          .where('user_id', '=', caller.actor.userId)
          .where('is_active', '=', true)
          .executeTakeFirst()
      : undefined
  if (!own) throw Forbidden({ reason: 'not_the_teacher' })
  return async (id: string): Promise<void> => {
    const query = tx.whole
      .selectFrom('staff')
      .select('id')
      .where('id', '=', id)
      .where('branch_id', '=', group.branch_id)
    if (!(await keptInPlace(tx.whole, query).executeTakeFirst())) throw NotFound()
  }
}

/**
 * Writes on a session, moves it, gives it to a substitute, corrects who gave it, or cancels it.
 * @throws NotFound, Forbidden, SessionNotScheduled, VALIDATION_ERROR
 */
export const changeSession = async (tx: Tx, caller: Caller, id: string, changes: SessionChanges): Promise<Session> => {
  const row = await lockSession(tx, id)
  const checkSubstitute = await substitutesFor(tx, caller, row)
  const cancels = changes.status === 'cancelled'
  const moves = changes.scheduledStart !== undefined || changes.scheduledEnd !== undefined
  if ((cancels || moves) && row.status !== 'scheduled') throw SessionNotScheduled({ status: row.status })
  if (cancels && changes.reason === undefined) throw invalid(['reason'], 'Is required to cancel a session.')
  if (!cancels && changes.reason !== undefined) throw invalid(['reason'], 'Goes with status cancelled only.')
  const start = changes.scheduledStart ?? row.scheduled_start
  const end = changes.scheduledEnd ?? row.scheduled_end
  checkTimes(start, end)
  if (changes.teacherStaffId) await checkSubstitute(changes.teacherStaffId)
  // No record of lessons is kept, so none can be named.
  if (changes.lessonId) throw NotFound()
  const before = toSession(await findSession(tx.db, id))
  const isHeld = row.status === 'held'
  if (isHeld && changes.teacherStaffId !== undefined) await keepTeacher(tx, row, changes.teacherStaffId)
  await tx.db
    .updateTable('session')
    .set({
      status: changes.status,
      topic: changes.topic,
      notes: changes.notes,
      teacher_staff_id: isHeld ? undefined : changes.teacherStaffId,
      lesson_id: changes.lessonId,
      scheduled_start: changes.scheduledStart,
      scheduled_end: changes.scheduledEnd,
      long_until: longUntil(start, end),
      updated_at: tx.now,
    })
    .where('id', '=', id)
    .execute()
  const after = toSession(await findSession(tx.db, id))
  if (changes.reason !== undefined) {
    const { groupId, scheduledStart } = after
    tx.record('session.cancelled', { sessionId: id, groupId, scheduledStart, reason: changes.reason })
  }
  tx.audit({
    entityType: 'session',
    entityId: id,
    before,
    after,
    ...(cancels && { metadata: { reason: changes.reason } }),
  })
  return after
}
