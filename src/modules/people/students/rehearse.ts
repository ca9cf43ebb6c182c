import type { Caller } from '#kernel/who/actor.ts'
import type { Money } from '#kernel/values/money.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import type { StatusChange, StatusConsequences, StudentDetail } from './schemas.ts'
import { changeStatusOn, type GroupsOfLeaver } from './status.ts'

/** What a student pays: fees are another module's, which needs this one. */
export interface FeesOfStudent {
  /** What a billing run would charge for a month, in each currency. */
  of: (tx: Tx, studentId: string, month: string) => Promise<Money[]>
  /** What was paid for the months after this one, in each currency. */
  paidAfter: (tx: Tx, studentId: string, month: string) => Promise<Money[]>
}

export interface Following {
  groups: GroupsOfLeaver
  fees: FeesOfStudent
}

const monthAfter = (day: string): string => addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)

interface Days {
  from: string
  to: string | null
}

/** The lessons of a group within these days that are still to come. */
const countLessons = async ({ whole, now, tenant }: Tx, groupId: string, { from, to }: Days): Promise<number> => {
  const begin = startOfLocalDay(from, tenant.timezone)
  let sessions = whole
    .selectFrom('session')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('group_id', '=', groupId)
    .where('status', '=', 'scheduled')
    .where('scheduled_start', '>', begin > now ? begin : now)
  if (to !== null) sessions = sessions.where('scheduled_start', '<', startOfLocalDay(addDays(to, 1), tenant.timezone))
  return (await sessions.executeTakeFirstOrThrow()).count
}

const activeIn = (tx: Tx, studentId: string) =>
  tx.whole
    .selectFrom('enrollment')
    .innerJoin('group', 'group.id', 'enrollment.group_id')
    .select(['enrollment.id', 'enrollment.ended_at', 'group.id as groupId', 'group.name as groupName'])
    .where('enrollment.student_id', '=', studentId)

/** What a change of the status would come to; it is taken back. @throws as `changeStatusOn` */
export const rehearseStatus = async (
  tx: Tx,
  { id, caller, body }: { id: string; caller: Caller; body: StatusChange },
  { groups, fees }: Following,
): Promise<Rehearsed<StatusConsequences>> => {
  const { today } = tx
  const isMoneyShown = caller.grants.holds('invoices.read')
  const isLeaving = body.status === 'withdrawn' || body.status === 'graduated'
  const lastDay = body.leftOn ?? today
  const first = isLeaving ? lastDay : (body.pausedFrom ?? today)
  const next = monthAfter(today)
  const month = first.slice(0, 7) > next ? first.slice(0, 7) : next
  const before = isMoneyShown ? await fees.of(tx, id, month) : []
  const enrolled = await activeIn(tx, id).where('enrollment.status', '=', 'active').orderBy('group.name').execute()
  const student: StudentDetail = await changeStatusOn(tx, id, isLeaving ? { ...body, leftOn: lastDay } : body, groups)
  const ends = new Map((await activeIn(tx, id).execute()).map((row) => [row.id, row.ended_at]))
  const consequences: StatusConsequences = {
    status: student.status,
    groups: [],
    fees: isMoneyShown ? { month, before, after: await fees.of(tx, id, month) } : null,
    paidAhead: isMoneyShown && isLeaving ? await fees.paidAfter(tx, id, lastDay.slice(0, 7)) : [],
  }
  for (const { id: enrollmentId, groupId, groupName } of enrolled) {
    const end = ends.get(enrollmentId) ?? null
    const until = end === null ? null : localDate(end, tx.tenant.timezone)
    const days = body.status === 'paused' ? { from: first, to: body.pausedTo ?? null } : { from: today, to: until }
    const lessons = await countLessons(tx, groupId, days)
    consequences.groups.push({ groupId, groupName, lastDay: until, lessons })
  }
  return new Rehearsed(consequences)
}
