import * as v from 'valibot'
import { failure, found } from '#kernel/values/errors.ts'
import { shows } from '#kernel/values/fields.ts'
import { declareJob } from '#kernel/contract/job.ts'
import { laneIn } from '#kernel/contract/lane.ts'
import type { EventSubscriber } from '#kernel/contract/module.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { addDays, startOfLocalDay } from '#kernel/time/zone.ts'
import { enroll, groupRecord, GroupFull, sinceNow, whyNotEnrolled, type Enrollment } from '#modules/groups/index.ts'
import { fullName } from '#modules/people/index.ts'
import { readSettings } from '#modules/settings/index.ts'
import { listUnder } from '#runtime/records/lists.ts'
import {
  changeRecord,
  createRecord,
  deleteRecord,
  lockRow,
  lockToDelete,
  recordOf,
  type Row,
} from '#runtime/records/records.ts'
import { WaitingEntry, type NewWaitingEntry } from './schemas.ts'

export const GroupNotFull = failure(
  'CONFLICT',
  'group_not_full',
  'The group has free places: enroll the student instead.',
)
export const AlreadyWaiting = failure('CONFLICT', 'already_waiting', 'The student waits for this group already.')
export const AlreadyOffered = failure('CONFLICT', 'already_offered', 'A place is offered to this student already.')
export const NoPlaceOffered = failure('CONFLICT', 'no_place_offered', 'No place is offered to this student.')
export const OrderOutdated = failure(
  'CONFLICT',
  'order_outdated',
  'Others wait for the group by now: read the list again, and order those who are on it.',
)

const shown = (db: ScopedDb) =>
  db
    .selectFrom('waiting_entry')
    .innerJoin('student', 'student.id', 'waiting_entry.student_id')
    .selectAll('waiting_entry')
    .select(['student.first_name', 'student.last_name'])

type Entry = Row<'waiting_entry'>

const toEntry = shows(WaitingEntry, {
  studentName: (row: { first_name: string; last_name: string }) => fullName(row),
  status: ({ offer_ends_at: endsAt, lapsed_at: lapsedAt }: Pick<Entry, 'offer_ends_at' | 'lapsed_at'>) =>
    endsAt !== null ? 'offered' : lapsedAt !== null ? 'lapsed' : 'waiting',
})

/** The first one first. */
export const listWaiting = listUnder(
  { table: 'group', column: 'waiting_entry.group_id' },
  {
    from: shown,
    order: {
      columns: ['waiting_entry.position', 'waiting_entry.id'],
      direction: 'asc',
      position: (row) => [row.position, row.id],
    },
    show: toEntry,
  },
)

export const waitingRecord = recordOf('waiting_entry', {
  read: async (db: ScopedDb, id: string) =>
    toEntry(found(await shown(db).where('waiting_entry.id', '=', id).executeTakeFirst())),
  refusals: { unique: { 'waiting_entry(group_id,student_id)': AlreadyWaiting } },
})

/** Puts a student at the end of the row. @throws NotFound, CannotEnroll, AlreadyEnrolled, GroupNotFull, AlreadyWaiting */
export const joinWaiting = async (tx: Tx, groupId: string, { studentId, note }: NewWaitingEntry) => {
  const obstacle = await whyNotEnrolled(tx, { studentId, groupId })
  if (!obstacle) throw GroupNotFull()
  if (obstacle.spec !== GroupFull.spec) throw obstacle
  const { last } = await tx.whole
    .selectFrom('waiting_entry')
    .select(({ fn }) => fn.max<number | null>('position').as('last'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return createRecord(tx, waitingRecord, { groupId, studentId, note: note ?? null, position: (last ?? 0) + 1 })
}

/** @throws NotFound, OrderOutdated where those who are named are not those who wait */
export const orderWaiting = async (tx: Tx, groupId: string, entryIds: readonly string[]): Promise<void> => {
  await lockRow(tx, groupRecord, groupId)
  const rows = await tx.whole
    .selectFrom('waiting_entry')
    .select(['id', 'position'])
    .where('group_id', '=', groupId)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  for (const id of new Set(entryIds)) if (!known.has(id)) await waitingRecord.read(tx.whole, id)
  const asked = new Set(entryIds)
  if (asked.size !== known.size || entryIds.length !== asked.size || entryIds.some((id) => !known.has(id))) {
    throw OrderOutdated()
  }
  for (const [at, id] of entryIds.entries()) {
    await tx.whole
      .updateTable('waiting_entry')
      .set({ position: at + 1, updated_at: tx.now })
      .where('id', '=', id)
      .where('position', '!=', at + 1)
      .execute()
  }
  const before = rows.toSorted((one, other) => one.position - other.position).map(({ id }) => id)
  tx.audit({ entityType: 'group', entityId: groupId, before: { waiting: before }, after: { waiting: entryIds } })
}

/** @throws NotFound */
export const leaveWaiting = async (tx: Tx, id: string) =>
  deleteRecord(tx, waitingRecord, await lockToDelete(tx, waitingRecord, id))

/** What the family is told of a place that is offered. */
export const offerNoticeJob = declareJob(
  'waiting-lists.offer-notice',
  v.object({
    tenantId: v.string(),
    noticeId: v.string(),
    studentId: v.string(),
    groupId: v.string(),
    until: v.string(),
  }),
)
export type OfferNotice = v.InferOutput<typeof offerNoticeJob.payload>

/** Whom an entry is about, before it is locked: a student is locked before a group, and a group before its entries. */
const aboutOf = async ({ db }: Tx, id: string) =>
  found(await db.selectFrom('waiting_entry').select(['student_id', 'group_id']).where('id', '=', id).executeTakeFirst())

/**
 * Offers a free place to somebody who waits, and tells the family. Until the offer ends, nobody else gets the place.
 * @throws NotFound, AlreadyOffered, CannotEnroll, GroupFull
 */
export const offerPlace = async (tx: Tx, id: string): Promise<WaitingEntry> => {
  const { student_id: studentId, group_id: groupId } = await aboutOf(tx, id)
  const obstacle = await whyNotEnrolled(tx, { studentId, groupId })
  const row = await lockRow(tx, waitingRecord, id)
  if (row.offer_ends_at !== null) throw AlreadyOffered()
  if (obstacle) throw obstacle
  const { offerDays } = await readSettings(tx.whole)
  const until = addDays(tx.today, offerDays)
  const offerEndsAt = startOfLocalDay(addDays(until, 1), tx.tenant.timezone)
  const offered = await changeRecord(tx, waitingRecord, row, { offeredAt: tx.now, offerEndsAt, lapsedAt: null })
  const tenantId = tx.tenant.id
  tx.enqueue(
    offerNoticeJob,
    { tenantId, noticeId: tx.id(), studentId, groupId, until },
    { lane: laneIn(tenantId, 'tell') },
  )
  return offered
}

/** @throws NotFound, NoPlaceOffered */
const checkOffered = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockRow(tx, waitingRecord, id)
  if (row.offer_ends_at === null) throw NoPlaceOffered()
}

/** Enrolls who was offered a place. @throws NotFound, NoPlaceOffered, CannotEnroll, GroupFull */
export const acceptPlace = async (tx: Tx, id: string): Promise<Enrollment> => {
  const { student_id: studentId, group_id: groupId } = await aboutOf(tx, id)
  const obstacle = await whyNotEnrolled(tx, { studentId, groupId })
  await checkOffered(tx, id)
  if (obstacle) throw obstacle
  return enroll(tx, { studentId, groupId, ...(await sinceNow(tx, groupId, undefined)) })
}

/** Who does not want the place leaves the row: it is free for the next. @throws NotFound, NoPlaceOffered */
export const declinePlace = async (tx: Tx, id: string) => {
  await checkOffered(tx, id)
  return leaveWaiting(tx, id)
}

/** An offer that nobody answered is over: the place is free for the next. */
export const lapse = async (tx: Tx, id: string): Promise<void> => {
  const row = await lockRow(tx, waitingRecord, id)
  if (row.offer_ends_at === null || row.offer_ends_at > tx.now) return
  await changeRecord(tx, waitingRecord, row, { offerEndsAt: null, lapsedAt: tx.now })
}

/** Who is enrolled waits no more, whichever way they came in. */
export const leaveWhenEnrolled: EventSubscriber = async (system, events) => {
  for (const { type, tenant, data } of events) {
    if (type !== 'enrollment.created') continue
    const tx = system.inTenant(tenant)
    const entry = await tx.whole
      .selectFrom('waiting_entry')
      .select('id')
      .where('group_id', '=', data.groupId)
      .where('student_id', '=', data.studentId)
      .executeTakeFirst()
    if (entry) await leaveWaiting(tx, entry.id)
  }
}
