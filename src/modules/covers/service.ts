import type { InferOutput } from 'valibot'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { found, invalid } from '#kernel/values/errors.ts'
import type { Page } from '#kernel/values/schema.ts'
import { shows } from '#kernel/values/fields.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { groupRecord } from '#modules/groups/index.ts'
import { fullName } from '#modules/people/index.ts'
import { coverSessions, taughtSessionIds, uncoverSessions } from '#modules/sessions/index.ts'
import { listOf, type ListContext } from '#runtime/records/lists.ts'
import {
  createRecord,
  deleteRecord,
  lockReferenced,
  lockRow,
  lockToDelete,
  recordOf,
} from '#runtime/records/records.ts'
import { clashesOf } from './clashes.ts'
import { noticeCover } from './notices.ts'
import { partsOf, type Part } from './parts.ts'
import { Cover, type CoverClash, type CoverPlan, type CoverQuery, type NewCover } from './schemas.ts'

const LONGEST_DAYS = 366

const shown = (db: ScopedDb) =>
  db
    .selectFrom('cover')
    .innerJoin('staff as absent', 'absent.id', 'cover.staff_id')
    .innerJoin('staff as standing', 'standing.id', 'cover.substitute_staff_id')
    .selectAll('cover')
    .select(['absent.first_name', 'absent.last_name'])
    .select(['standing.first_name as standing_first', 'standing.last_name as standing_last'])
    .select((eb) =>
      eb
        .selectFrom('covered_session')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('covered_session.cover_id', '=', 'cover.id')
        .as('covered'),
    )

interface Shown {
  first_name: string
  last_name: string
  standing_first: string
  standing_last: string
  from_date: string
  to_date: string
  covered: number | null
}

const toCover = shows(Cover, {
  staffName: (row: Shown) => fullName(row),
  substituteName: (row: Shown) => fullName({ first_name: row.standing_first, last_name: row.standing_last }),
  from: (row: Shown) => row.from_date,
  to: (row: Shown) => row.to_date,
  coveredSessions: (row: Shown) => row.covered ?? 0,
})

const covers = listOf({
  filters: {
    from: (eb, from: string) => eb('cover.to_date', '>=', from),
    begunSince: (eb, day: string) => eb('cover.from_date', '>=', day),
    to: (eb, to: string) => eb('cover.from_date', '<=', to),
    staffId: 'cover.staff_id',
    substituteStaffId: 'cover.substitute_staff_id',
  },
  from: shown,
  order: {
    columns: ['cover.from_date', 'cover.id'],
    direction: 'asc',
    position: (row) => [row.from_date, row.id],
  },
  show: toCover,
})

/** First begun first; from today on, unless the query says from when. */
export const listCovers = (
  context: ListContext<ScopedDb> & { tenant: TenantInfo; now: string; query: InferOutput<typeof CoverQuery> },
): Promise<Page<Cover>> => {
  const { now, tenant, query } = context
  const { from = localDate(now, tenant.timezone) } = query
  // None is longer, so no other has a day in that time: the index finds these.
  const begunSince = addDays(from, -LONGEST_DAYS)
  return covers({ ...context, query: { ...query, from, begunSince } })
}

const coverRecord = recordOf('cover', {
  read: async (db: ScopedDb, id: string) =>
    toCover(found(await shown(db).where('cover.id', '=', id).executeTakeFirst())),
  withoutUpdatedAt: true,
})

const checkDays = ({ today }: Tx, { from, to }: NewCover): void => {
  if (to < from) throw invalid(['to'], 'Must not be before from.')
  if (to < today) throw invalid(['to'], 'Must not be in the past.')
  if (to > addDays(from, LONGEST_DAYS)) throw invalid(['to'], `Must be at most ${LONGEST_DAYS} days after from.`)
}

type Days = Pick<NewCover, 'from' | 'to'>

/** The ids of the sessions of a teacher on some days that were neither held nor cancelled. */
const scheduledIds = (db: ScopedDb, { tenant }: Tx, staffId: string, { from, to }: Days) =>
  taughtSessionIds(db, staffId, (sessions) =>
    sessions
      .where('session.status', '=', 'scheduled')
      .where('session.scheduled_start', '>=', startOfLocalDay(from, tenant.timezone))
      .where('session.scheduled_start', '<', startOfLocalDay(addDays(to, 1), tenant.timezone)),
  )

/** Locks groups, in one order for all who lock several, so that nobody makes sessions of them meanwhile. @throws NotFound */
const lockGroups = async (tx: Pick<Tx, 'db'>, ids: Iterable<string>): Promise<void> => {
  for (const id of [...new Set(ids)].toSorted()) await lockRow(tx, groupRecord, id)
}

const groupsTaughtBy = async (db: ScopedDb, staffId: string): Promise<string[]> => {
  const groups = await db.selectFrom('group').select('id').where('teacher_staff_id', '=', staffId).execute()
  return groups.map(({ id }) => id)
}

/**
 * The groups that a cover is for, locked.
 * @returns null: all groups of the teacher, also those to come; of somebody who does not reach them all, those that they reach
 * @throws NotFound for a group that was named
 */
const lockMeant = async (tx: Tx, staffId: string, { groupIds, ...days }: NewCover): Promise<string[] | null> => {
  if (groupIds !== undefined) {
    await lockGroups(tx, groupIds)
    return groupIds
  }
  const taught = await groupsTaughtBy(tx.db, staffId)
  const substituted = await tx.db
    .selectFrom('session')
    .select('group_id')
    .distinct()
    .where('id', 'in', scheduledIds(tx.db, tx, staffId, days))
    .execute()
  await lockGroups(tx, [...taught, ...substituted.map((row) => row.group_id)])
  const all = await groupsTaughtBy(tx.whole, staffId)
  return all.length === taught.length ? null : taught
}

const lessonsOf = async (tx: Tx, staffId: string, days: Days, groupIds: readonly string[] | null) => {
  let lessons = tx.db
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .select(['session.id', 'session.group_id', 'session.scheduled_start', 'session.scheduled_end'])
    .select(['session.teacher_staff_id', 'group.name'])
    .where('session.id', 'in', scheduledIds(tx.db, tx, staffId, days))
  if (groupIds !== null) lessons = lessons.where('session.group_id', 'in', groupIds)
  return lessons.orderBy('session.scheduled_start').orderBy('session.id').execute()
}

type Lesson = Awaited<ReturnType<typeof lessonsOf>>[number]

/**
 * Gives the sessions of an absent teacher to another, or to several, from day to day.
 * @throws NotFound for one of both or a group, VALIDATION_ERROR
 */
export const planCover = async (tx: Tx, staffId: string, body: NewCover): Promise<CoverPlan> => {
  const { exceptSessionIds, reason = null, tellFamilies, dryRun } = body
  checkDays(tx, body)
  const parts = partsOf(staffId, body)
  const standing = [...new Set(parts.map((part) => part.substituteStaffId))]
  for (const id of [staffId, ...standing].toSorted()) await lockReferenced(tx, 'staff', id)
  const groupIds = await lockMeant(tx, staffId, body)
  const lessons = await lessonsOf(tx, staffId, body, groupIds)
  const dayOf = (lesson: Lesson): string => localDate(lesson.scheduled_start, tx.tenant.timezone)
  const except = new Set(exceptSessionIds)
  const planned = parts.map((part) => ({
    part,
    ofPart: lessons.filter((lesson) => part.from <= dayOf(lesson) && dayOf(lesson) <= part.to),
  }))
  const clashes = new Map<string, CoverClash[]>()
  for (const id of standing) {
    const own = planned.filter(({ part }) => part.substituteStaffId === id).flatMap(({ ofPart }) => ofPart)
    const clashesWith = await clashesOf(tx, id, own)
    for (const lesson of own) clashes.set(lesson.id, clashesWith(lesson))
  }
  const ids: string[] = []
  const covered = new Set<string>()
  for (const { part, ofPart } of planned) {
    const { substituteStaffId, from: fromDate, to: toDate } = part
    const { id } = await createRecord(tx, coverRecord, {
      staffId,
      substituteStaffId,
      fromDate,
      toDate,
      groupIds,
      reason,
    })
    ids.push(id)
    const meant = ofPart.filter((lesson) => !except.has(lesson.id))
    for (const given of await coverSessions(tx, { id, staffId, substituteStaffId }, meant)) covered.add(given)
  }
  const given = planned.map(({ part, ofPart }) => ({ part, lessons: ofPart.filter(({ id }) => covered.has(id)) }))
  tellOf(tx, { staffId, given, tellFamilies })
  const made = dryRun ? [] : await Promise.all(ids.map((id) => coverRecord.read(tx.db, id)))
  return {
    dryRun,
    cover: made[0] ?? null,
    covers: made,
    sessions: planned.flatMap(({ part, ofPart }) =>
      ofPart.map((lesson) => ({
        sessionId: lesson.id,
        groupId: lesson.group_id,
        groupName: lesson.name,
        scheduledStart: lesson.scheduled_start,
        scheduledEnd: lesson.scheduled_end,
        substituteStaffId: part.substituteStaffId,
        isCovered: covered.has(lesson.id),
        clashes: clashes.get(lesson.id) ?? [],
      })),
    ),
  }
}

interface Given {
  staffId: string
  /** In the order of the days. */
  given: readonly { part: Part; lessons: readonly Lesson[] }[]
  tellFamilies: boolean
}

/** Tells each who stands in once, whatever days are theirs, and families once of all. */
const tellOf = (tx: Tx, { staffId, given, tellFamilies }: Given): void => {
  const spanOf = (some: Given['given']) => ({
    staffId,
    from: some[0]?.part.from as string,
    to: some.at(-1)?.part.to as string,
  })
  const lessonsIn = (some: Given['given']) => some.flatMap(({ lessons }) => lessons)
  const bySubstitute = Map.groupBy(given, ({ part }) => part.substituteStaffId)
  for (const [substituteStaffId, own] of bySubstitute) {
    noticeCover(tx, 'given', { ...spanOf(own), substituteStaffId }, lessonsIn(own))
  }
  if (!tellFamilies) return
  const giving = given.filter(({ lessons }) => lessons.length > 0)
  const [substituteStaffId, ...otherSubstituteIds] = new Set(giving.map(({ part }) => part.substituteStaffId))
  if (substituteStaffId === undefined) return
  noticeCover(tx, 'families', { ...spanOf(given), substituteStaffId, otherSubstituteIds }, lessonsIn(giving))
}

/** Ends a cover: what it gave goes back, but for what was held or given to a third teacher since. @throws NotFound */
export const undoCover = async (tx: Tx, id: string) => {
  const { staff_id: staffId } = found(
    await tx.db.selectFrom('cover').select('staff_id').where('id', '=', id).executeTakeFirst(),
  )
  const touched = await tx.whole
    .selectFrom('covered_session')
    .innerJoin('session', 'session.id', 'covered_session.session_id')
    .select('session.group_id')
    .distinct()
    .where('covered_session.cover_id', '=', id)
    .execute()
  const groupIds = [...(await groupsTaughtBy(tx.whole, staffId)), ...touched.map((row) => row.group_id)]
  await lockGroups(tx.within('all'), groupIds)
  const row = await lockToDelete(tx, coverRecord, id)
  const back = await uncoverSessions(tx, { id, staffId, substituteStaffId: row.substitute_staff_id })
  const lessons =
    back.length === 0
      ? []
      : await tx.whole
          .selectFrom('session')
          .select(['group_id', 'scheduled_start', 'scheduled_end'])
          .where('id', 'in', back)
          .where('status', '=', 'scheduled')
          .orderBy('scheduled_start')
          .orderBy('id')
          .execute()
  const { substitute_staff_id: substituteStaffId, from_date: from, to_date: to } = row
  noticeCover(tx, 'lifted', { staffId, substituteStaffId, from, to }, lessons)
  return deleteRecord(tx, coverRecord, row)
}
