import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { Forbidden, NotFound } from '#kernel/values/errors.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { OPEN } from '#modules/billing/index.ts'
import { ROWS_AT_ONCE } from '#runtime/change/batches.ts'
import { checkReached } from '#runtime/records/records.ts'
import { payersOf, studentsAndGuardians } from '../events/students.ts'
import type { Audience, NewMessage } from '../send-schemas.ts'
import type { Found } from './records.ts'

/*
 * Whom a message is for, where somebody says it in a word: families of groups or of a branch, who owes, who was absent. The
 * server looks it up when it is sent, so that a list that somebody saw before is never what is written to.
 */

/** Who asks, and what they reach. */
export interface Sender {
  whole: ScopedDb
  tenant: TenantInfo
  caller: Caller
  now: string
  reachedBy: (permission: Permission) => Promise<ScopedDb | undefined>
}

export interface Reached {
  /** What the caller reaches as one who may send messages; undefined: they write to the families of their own groups alone. */
  office: ScopedDb | undefined
  /** The groups that are written to as their teacher: they have a budget a day. */
  asTeacher: string[]
}

/** Students of one part, with their guardians. */
const STUDENTS_AT_ONCE = 50

const missing = (permission: Permission) => Forbidden({ reason: 'permission_missing', permissions: [permission] })

/** The permission, or the refusal that names it. */
const reach = async ({ reachedBy }: Sender, permission: Permission): Promise<ScopedDb> => {
  const db = await reachedBy(permission)
  if (!db) throw missing(permission)
  return db
}

const groupsOf = ({ recipients, audience }: NewMessage): string[] => [
  ...new Set([...(recipients?.groupId === undefined ? [] : [recipients.groupId]), ...(audience?.groupIds ?? [])]),
]

/** Whether nobody is named but by their groups, which is all that a teacher may do. */
const isByGroups = ({ recipients, audience }: NewMessage): boolean => {
  const { studentIds = [], guardianIds = [], userIds = [] } = recipients ?? {}
  if (studentIds.length + guardianIds.length + userIds.length > 0) return false
  if (audience === undefined) return true
  return audience.kind === 'group' || (audience.kind === 'absent' && audience.groupIds.length > 0)
}

/** The groups that somebody teaches, or substitutes in. */
const taughtBy = ({ grants }: Caller): ReadonlySet<string> => {
  const marks = grants.reach('attendance.mark')
  return new Set(marks === undefined || marks === 'all' ? [] : marks.groupIds)
}

/**
 * What the sender may write to. Whoever may not send messages at all writes to the families of the groups that they teach.
 * @throws Forbidden, NotFound for a group that the caller does not reach
 */
export const reachOf = async (sender: Sender, body: NewMessage): Promise<Reached> => {
  const office = await sender.reachedBy('notifications.send')
  const taught = taughtBy(sender.caller)
  if (!office && (taught.size === 0 || !isByGroups(body))) throw missing('notifications.send')
  const asTeacher: string[] = []
  for (const groupId of groupsOf(body)) {
    const row = await office?.selectFrom('group').select('id').where('id', '=', groupId).executeTakeFirst()
    if (row) continue
    if (!taught.has(groupId)) throw NotFound()
    asTeacher.push(groupId)
  }
  return { office, asTeacher }
}

const parts = function* <T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}

/** Finds the next students, by their ids. @param after '': from the first */
type NextStudents = (after: string) => Promise<{ id: string }[]>

/** The active students of groups. */
const enrolledIn =
  ({ whole }: Sender, groupIds: readonly string[]): NextStudents =>
  (after) =>
    whole
      .selectFrom('enrollment')
      .select('enrollment.student_id as id')
      .distinct()
      .where('enrollment.group_id', 'in', groupIds)
      .where('enrollment.status', '=', 'active')
      .$if(after !== '', (query) => query.where('enrollment.student_id', '>', after))
      .orderBy('enrollment.student_id')
      .limit(STUDENTS_AT_ONCE)
      .execute()

/** Those of a branch who are active, or learn in a group: somebody may before the office has made them active. */
const belongingTo =
  ({ whole }: Sender, branchId: string): NextStudents =>
  (after) =>
    whole
      .selectFrom('student')
      .select('student.id')
      .where('student.branch_id', '=', branchId)
      .where((eb) =>
        eb.or([
          eb('student.status', '=', 'active'),
          eb(
            'student.id',
            'in',
            eb.selectFrom('enrollment').select('enrollment.student_id').where('enrollment.status', '=', 'active'),
          ),
        ]),
      )
      .$if(after !== '', (query) => query.where('student.id', '>', after))
      .orderBy('student.id')
      .limit(STUDENTS_AT_ONCE)
      .execute()

const inParts = async function* (next: NextStudents): AsyncGenerator<string[]> {
  let after = ''
  for (;;) {
    const rows = await next(after)
    if (rows.length > 0) yield rows.map(({ id }) => id)
    if (rows.length < STUDENTS_AT_ONCE) return
    after = rows.at(-1)?.id as string
  }
}

/** Who was marked absent from a lesson of a day. */
const absentOn = async (sender: Sender, { date, branchId, groupIds }: Audience): Promise<string[]> => {
  const { tenant, now } = sender
  const day = date ?? localDate(now, tenant.timezone)
  const db = await reach(sender, 'attendance.read')
  const rows = await db
    .selectFrom('attendance')
    .innerJoin('session', 'session.id', 'attendance.session_id')
    .innerJoin('group', 'group.id', 'session.group_id')
    .select('attendance.student_id')
    .distinct()
    .where('attendance.status', '=', 'absent')
    .where('session.scheduled_start', '>=', startOfLocalDay(day, tenant.timezone))
    .where('session.scheduled_start', '<', startOfLocalDay(addDays(day, 1), tenant.timezone))
    .$if(branchId !== undefined, (query) => query.where('group.branch_id', '=', branchId as string))
    .$if(groupIds.length > 0, (query) => query.where('session.group_id', 'in', groupIds))
    .execute()
  return rows.map((row) => row.student_id)
}

/** The payers of invoices that are open, or overdue. */
const debtors = async function* (sender: Sender, office: ScopedDb, audience: Audience): AsyncGenerator<Found[]> {
  const db = await reach(sender, 'invoices.read')
  const { branchId, groupIds, isOverdue } = audience
  const statuses: typeof OPEN = isOverdue ? ['overdue'] : OPEN
  const invoices = await db
    .selectFrom('invoice')
    .select(['invoice.id', 'invoice.student_id', 'invoice.payer_guardian_id'])
    .where('invoice.status', 'in', statuses)
    .$if(branchId !== undefined, (query) => query.where('invoice.branch_id', '=', branchId as string))
    .$if(groupIds.length > 0, (query) =>
      query.where('invoice.student_id', 'in', (eb) =>
        eb
          .selectFrom('enrollment')
          .select('enrollment.student_id')
          .where('enrollment.group_id', 'in', groupIds)
          .where('enrollment.status', '=', 'active'),
      ),
    )
    .execute()
  for (const part of parts(invoices, ROWS_AT_ONCE)) {
    const ids = [...new Set(part.map((row) => row.student_id))]
    const reached = await office.selectFrom('student').select('id').where('id', 'in', ids).execute()
    const known = new Set(reached.map(({ id }) => id))
    const payers = await payersOf(
      sender.whole,
      part.filter((row) => known.has(row.student_id)),
    )
    yield [...payers.values()]
  }
}

/** @throws NotFound for the branch, Forbidden where who is meant is not for the caller to know */
const studentsOf = async function* (sender: Sender, { office }: Reached, audience: Audience): AsyncGenerator<string[]> {
  const { kind, groupIds, branchId } = audience
  // A branch that narrows is looked at like one that is written to.
  if (branchId !== undefined) await checkReached(office ?? (await reach(sender, 'groups.read')), 'branch', branchId)
  if (kind === 'group') yield* inParts(enrolledIn(sender, groupIds))
  else if (kind === 'branch') yield* inParts(belongingTo(sender, branchId as string))
  else yield* parts(await absentOn(sender, audience), STUDENTS_AT_ONCE)
}

/** The active students of a group, and their guardians. */
export const familiesOf = (groupId: string): Audience => ({
  kind: 'group',
  groupIds: [groupId],
  isOverdue: true,
  to: 'both',
})

const hasNoWay = ({ userId, email, phone }: Found): boolean => userId === null && email === null && phone === null

/**
 * Of a family, those who are written to. A child who can be reached in no way is told by the parents: a class of thirty
 * would else be thirty people whom nothing reaches.
 */
const meantOf = (family: readonly Found[], to: Audience['to']): Found[] => {
  if (to === 'students') return family.filter(({ kind }) => kind === 'student')
  const guardians = family.filter(({ kind }) => kind === 'guardian')
  if (to === 'guardians') return guardians
  return family.filter((one) => one.kind === 'guardian' || guardians.length === 0 || !hasNoWay(one))
}

/** Everybody whom the audience means, as their records name them: somebody with two children comes twice. */
export const audienceOf = async function* (
  sender: Sender,
  reached: Reached,
  audience: Audience,
): AsyncGenerator<Found[]> {
  if (audience.kind === 'debtors') {
    if (audience.branchId !== undefined) await checkReached(reached.office as ScopedDb, 'branch', audience.branchId)
    yield* debtors(sender, reached.office as ScopedDb, audience)
    return
  }
  for await (const ids of studentsOf(sender, reached, audience)) {
    const families = await studentsAndGuardians(sender.whole, ids)
    yield [...families.values()].flatMap((family) => meantOf(family, audience.to))
  }
}
