import type { Caller } from '#kernel/who/actor.ts'
import { forNoKeyUpdate } from '#db/dialect.ts'
import { Forbidden, invalid, NotFound } from '#kernel/values/errors.ts'
import { Rehearsed } from '#kernel/values/other-status.ts'
import { inPart } from '#kernel/values/parts.ts'
import type { Tx } from '#kernel/contract/unit-of-work.ts'
import { checkQuota } from '#kernel/who/quota.ts'
import { addDays } from '#kernel/time/zone.ts'
import { countOpen, createGroup } from '#modules/groups/index.ts'
import { lockQuota } from '#modules/tenants/index.ts'
import { AlreadyRolledOver, BeginsBeforeEnd, GroupsCancelled } from './failures.ts'
import { goOn } from './fill.ts'
import { lastDayOf, type FormerGroup } from './former.ts'
import { planRollover, type Plan } from './plan.ts'
import type { NewRollover, Rollover } from './schemas.ts'

const LONGEST_DAYS = 400
const DAYS_AROUND = 366

/** @throws VALIDATION_ERROR */
const checkDates = ({ today }: Tx, { startsOn, endsOn }: NewRollover): void => {
  if (endsOn < startsOn) throw invalid(['endsOn'], 'Must not be before startsOn.')
  if (endsOn > addDays(startsOn, LONGEST_DAYS)) {
    throw invalid(['endsOn'], `Must be at most ${LONGEST_DAYS} days after startsOn.`)
  }
  if (startsOn > addDays(today, DAYS_AROUND)) {
    throw invalid(['startsOn'], `Must be at most ${DAYS_AROUND} days ahead.`)
  }
  if (startsOn < addDays(today, -DAYS_AROUND)) {
    throw invalid(['startsOn'], `Must be at most ${DAYS_AROUND} days ago.`)
  }
}

/** Locks the groups, in one order for all who lock several. @throws NotFound for one out of reach, by its place */
const lockGroups = async ({ db }: Tx, ids: readonly string[]): Promise<FormerGroup[]> => {
  const locked = db.selectFrom('group').selectAll('group').where('group.id', 'in', ids).orderBy('group.id')
  const rows = await forNoKeyUpdate(db, locked).execute()
  const courseIds = [...new Set(rows.map((row) => row.course_id))]
  const courses =
    courseIds.length === 0
      ? []
      : await db.selectFrom('course').select(['id', 'name']).where('id', 'in', courseIds).execute()
  const courseOf = new Map(courses.map(({ id, name }) => [id, name]))
  const byId = new Map(rows.map((row) => [row.id, { ...row, course_name: courseOf.get(row.course_id) ?? '' }]))
  const found: FormerGroup[] = []
  for (const [at, id] of ids.entries()) {
    found.push(
      await inPart(['groupIds', at], async () => {
        const row = byId.get(id)
        if (!row) throw NotFound()
        return row
      }),
    )
  }
  return found
}

/** As what the groups go on already on some of these days; a new group that was cancelled does not count. */
const readContinued = ({ whole }: Tx, ids: readonly string[], { startsOn, endsOn }: NewRollover) =>
  whole
    .selectFrom('group_continuation')
    .innerJoin('group', 'group.id', 'group_continuation.to_group_id')
    .select(['group_continuation.from_group_id', 'group.id', 'group.name'])
    .where('group_continuation.from_group_id', 'in', ids)
    .where('group.status', '!=', 'cancelled')
    .where((eb) => eb.or([eb('group.starts_on', 'is', null), eb('group.starts_on', '<=', endsOn)]))
    .where((eb) => eb.or([eb('group.ends_on', 'is', null), eb('group.ends_on', '>=', startsOn)]))
    .execute()

/** @throws GroupsCancelled, AlreadyRolledOver, BeginsBeforeEnd */
const checkGroups = async (tx: Tx, groups: readonly FormerGroup[], body: NewRollover): Promise<void> => {
  const named = ({ id, name }: FormerGroup) => ({ id, name })
  const cancelled = groups.filter(({ status }) => status === 'cancelled')
  if (cancelled.length > 0) throw GroupsCancelled({ groups: cancelled.map(named) })
  const continued = new Map(
    (
      await readContinued(
        tx,
        groups.map(({ id }) => id),
        body,
      )
    ).map((row) => [row.from_group_id, row]),
  )
  const twice = groups.flatMap((group) => {
    const next = continued.get(group.id)
    return next ? [{ ...named(group), newGroupId: next.id, newName: next.name }] : []
  })
  if (twice.length > 0) throw AlreadyRolledOver({ groups: twice })
  const late = groups.filter((group) => lastDayOf(group, body.startsOn) >= body.startsOn)
  if (late.length > 0) {
    throw BeginsBeforeEnd({ groups: late.map((group) => ({ ...named(group), endsOn: group.ends_on ?? '' })) })
  }
}

/** Makes the new group, with what is still to be done for it. */
const openGroup = async (
  tx: Tx,
  { former, told, teacherStaffId }: Plan,
  { rolloverId, body }: { rolloverId: string; body: NewRollover },
): Promise<string> => {
  const { startsOn, endsOn } = body
  const { id } = await createGroup(tx, {
    courseId: former.course_id,
    branchId: former.branch_id,
    name: told.name,
    teacherStaffId,
    room: former.room,
    capacity: former.capacity,
    feeMinor: former.fee_minor,
    currency: former.currency,
    startsOn,
    endsOn,
    status: startsOn > tx.today ? 'planned' : 'active',
  })
  await tx.whole
    .insertInto('group_continuation')
    .values({
      id: tx.id(),
      rollover_id: rolloverId,
      from_group_id: former.id,
      to_group_id: id,
      student_ids: told.students.flatMap(({ studentId, leftOut }) => (leftOut === null ? [studentId] : [])),
      created_at: tx.now,
      filled_at: null,
      ended_at: null,
    })
    .execute()
  return id
}

const replyOf = (
  plans: readonly Plan[],
  { body, ...rest }: { body: NewRollover } & Pick<Rollover, 'isDone' | 'quota'>,
): Rollover => ({
  dryRun: body.dryRun,
  startsOn: body.startsOn,
  endsOn: body.endsOn,
  ...rest,
  kept: plans.reduce((sum, { told }) => sum + told.kept, 0),
  groups: plans.map(({ told }) => told),
})

/**
 * Lets groups go on in a new year, or says what that would come to. The new groups are made at once; what fills them
 * goes on in a job where it is much.
 * @throws FORBIDDEN, NotFound, GroupsCancelled, AlreadyRolledOver, BeginsBeforeEnd, QuotaExceeded, VALIDATION_ERROR
 */
export const rollOver = async (tx: Tx, caller: Caller, body: NewRollover): Promise<Rollover | Rehearsed<Rollover>> => {
  const reach = caller.grants.reach('enrollments.write')
  if (reach === undefined) throw Forbidden({ reason: 'permission_missing', permissions: ['enrollments.write'] })
  checkDates(tx, body)
  const ids = [...new Set(body.groupIds)]
  const limit = await lockQuota(tx, 'maxGroups')
  await lockGroups(tx.within(reach), ids)
  const groups = await lockGroups(tx, ids)
  await checkGroups(tx, groups, body)
  const plans = await planRollover(tx, groups, body)
  const quota = limit === null ? null : { limit, current: await countOpen(tx.whole, tx.now) }
  if (body.dryRun) return new Rehearsed(replyOf(plans, { body, isDone: false, quota }))
  if (quota) checkQuota('maxGroups', { ...quota, added: plans.length })
  const rolloverId = tx.id()
  for (const plan of plans) plan.told.newGroupId = await openGroup(tx, plan, { rolloverId, body })
  const { keepTimes, priceRule, notify } = body
  const isDone = await goOn(tx, { tenantId: tx.tenant.id, rolloverId, keepTimes, priceRule, notify })
  const metadata = { rolloverId, groups: plans.map(({ former, told }) => ({ from: former.id, to: told.newGroupId })) }
  tx.audit({
    entityType: 'group',
    entityId: null,
    metadata: { ...metadata, startsOn: body.startsOn, endsOn: body.endsOn },
  })
  return replyOf(plans, { body, isDone, quota })
}
