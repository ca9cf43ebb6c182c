import type { InferOutput } from 'valibot'
import { countUpTo, MAX_ROWS_READ, readBounded, readBySize } from '#db/queries/long-reads.ts'
import type { Caller, TenantInfo } from '#kernel/who/actor.ts'
import { plusSeconds } from '#kernel/time/clock.ts'
import { found } from '#kernel/values/errors.ts'
import { money } from '#kernel/values/money.ts'
import type { Permission } from '#kernel/rights/permissions.ts'
import { exactSum } from '#kernel/values/sums.ts'
import type { Queries, ScopedDb } from '#kernel/contract/tables.ts'
import { addDays, localDate, startOfLocalDay } from '#kernel/time/zone.ts'
import { countRosters, countWalkIns, enrolledAtStart } from '#modules/attendance/index.ts'
import { isUncovered, OPEN } from '#modules/billing/index.ts'
import { readLicenseStatus } from '#modules/licensing/index.ts'
import { nearLimits } from '#modules/plan-use/index.ts'
import { planEnd } from '#modules/plans/index.ts'
import { countProposals } from '#modules/proposed-changes/index.ts'
import { freePlacesOf } from '#modules/waiting-lists/index.ts'
import type { Attention } from './attention-schemas.ts'

/** Older sessions and messages are history: nobody does anything about them today. */
export const UNMARKED_DAYS = 30
export const FAILED_DAYS = 7
/** A longer list would help nobody to catch up. */
export const LONGEST_UNMARKED = 50

const DAY_SECONDS = 86_400
const LOOKED_AT = MAX_ROWS_READ + 1

export type Backup = NonNullable<InferOutput<typeof Attention>['backup']>

export interface DashboardDeps {
  /** null: this program makes no backups. */
  lastBackup: () => Backup | null
  /** Reaches the subscriptions, which are the vendor's. */
  database: { read: Queries }
}

interface Asked {
  /** Only records of this branch; undefined: of all that the caller reaches. */
  branchId: string | undefined
  whole: ScopedDb
  caller: Caller
  tenant: TenantInfo
  now: string
  reachedBy: (permission: Permission) => Promise<ScopedDb | undefined>
}

const readUnmarked = async (db: ScopedDb, { branchId, whole, tenant: { timezone }, now }: Asked) => {
  const today = localDate(now, timezone)
  const rows = await readBounded(
    db
      .selectFrom('session')
      .$if(branchId !== undefined, (all) =>
        all.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('group')
              .select('group.id')
              .whereRef('group.id', '=', 'session.group_id')
              .where('group.branch_id', '=', branchId as string),
          ),
        ),
      )
      .select('session.id')
      .where('session.scheduled_start', '>=', startOfLocalDay(addDays(today, -UNMARKED_DAYS), timezone))
      .where('session.scheduled_start', '<', startOfLocalDay(today, timezone))
      .where('session.status', '!=', 'cancelled')
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('attendance').select('student_id').whereRef('attendance.session_id', '=', 'session.id'))),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('enrollment')
            .select('enrollment.id')
            .whereRef('enrollment.group_id', '=', 'session.group_id')
            .where(enrolledAtStart),
        ),
      )
      .orderBy('session.scheduled_start', 'desc')
      .orderBy('session.id', 'desc'),
    'session.id',
  )
  const ids = rows.slice(0, LONGEST_UNMARKED).map(({ id }) => id)
  if (ids.length === 0) return { count: 0, latest: [] }
  const latest = await whole
    .selectFrom('session')
    .innerJoin('group', 'group.id', 'session.group_id')
    .select(['session.id as sessionId', 'session.group_id as groupId', 'group.name as groupName'])
    .select(['session.scheduled_start as scheduledStart', 'session.scheduled_end as scheduledEnd'])
    .where('session.id', 'in', ids)
    .orderBy('session.scheduled_start', 'desc')
    .orderBy('session.id', 'desc')
    .execute()
  const countsOf = await countRosters(whole, ids)
  return {
    count: rows.length,
    latest: latest.map((session) => ({ ...session, rosterCount: countsOf(session.sessionId).rosterCount })),
  }
}

/** Counts open invoices, and sums up what is still to be paid on those in the institute’s currency. */
const sumUp = async (
  db: ScopedDb,
  asked: Asked,
  narrow: (invoices: ReturnType<typeof invoicesOf>) => ReturnType<typeof invoicesOf>,
) => {
  const { whole, tenant } = asked
  const { currency } = tenant
  const narrowed = (of: ScopedDb) => narrow(invoicesOf(of, asked))
  const size = await countUpTo(whole, narrowed(whole).select('invoice.id'), LOOKED_AT)
  const sums = narrowed(db)
    .select(({ eb, fn }) => [
      'invoice.currency',
      fn.countAll<number>().as('count'),
      fn.sum<number>(eb('total_minor', '-', eb.ref('paid_minor'))).as('balance'),
    ])
    .groupBy('invoice.currency')
  const rows = await readBySize(sums, size)
  const own = rows.filter((row) => row.currency === currency)
  return {
    count: exactSum(rows.map(({ count }) => count)),
    balance: money(exactSum(own.map(({ balance }) => balance)), currency),
  }
}

const invoicesOf = (db: ScopedDb, { branchId }: Asked) => {
  const invoices = db.selectFrom('invoice')
  return branchId === undefined ? invoices : invoices.where('invoice.branch_id', '=', branchId)
}

const readInvoices = async (db: ScopedDb, asked: Asked) => {
  const today = localDate(asked.now, asked.tenant.timezone)
  return {
    dueToday: await sumUp(db, asked, (all) =>
      all.where('invoice.status', 'in', OPEN).where('invoice.due_date', '=', today).where(isUncovered),
    ),
    overdue: await sumUp(db, asked, (all) => all.where('invoice.status', '=', 'overdue')),
  }
}

/** The days, today among them, in which a cheque is about to be taken to the bank. */
const COMING_DAYS = 7

/** Cheques in a state, with what those in the institute’s currency come to. @param dueTo only those of this day or earlier */
const sumUpCheques = async (
  db: ScopedDb,
  { branchId, whole, tenant }: Asked,
  { status, dueTo }: { status: 'held' | 'due' | 'bounced'; dueTo?: string },
) => {
  const narrowed = (of: ScopedDb) => {
    const ofStatus = of.selectFrom('cheque').where('cheque.status', '=', status)
    const all = dueTo === undefined ? ofStatus : ofStatus.where('cheque.due_on', '<=', dueTo)
    return branchId === undefined ? all : all.where('cheque.branch_id', '=', branchId)
  }
  const size = await countUpTo(whole, narrowed(whole).select('cheque.id'), LOOKED_AT)
  const sums = narrowed(db)
    .select(({ fn }) => [
      'cheque.currency',
      fn.countAll<number>().as('count'),
      fn.sum<number>('cheque.amount_minor').as('amount'),
    ])
    .groupBy('cheque.currency')
  const rows = await readBySize(sums, size)
  const own = rows.filter((row) => row.currency === tenant.currency)
  return {
    count: exactSum(rows.map(({ count }) => count)),
    amount: money(exactSum(own.map(({ amount }) => amount)), tenant.currency),
  }
}

const readCheques = async (db: ScopedDb, asked: Asked) => ({
  due: await sumUpCheques(db, asked, { status: 'due' }),
  coming: await sumUpCheques(db, asked, {
    status: 'held',
    dueTo: addDays(localDate(asked.now, asked.tenant.timezone), COMING_DAYS - 1),
  }),
  bounced: await sumUpCheques(db, asked, { status: 'bounced' }),
})

const countNewLeads = async (db: ScopedDb, { branchId, whole }: Asked): Promise<number> => {
  const fresh = (of: ScopedDb) => {
    const all = of.selectFrom('lead').where('lead.status', '=', 'new')
    if (branchId === undefined) return all
    // A lead with a student is of the student's branch.
    return all.where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('lead.unlinked_branch_id', '=', branchId),
        exists(
          selectFrom('student')
            .select('student.id')
            .whereRef('student.id', '=', 'lead.student_id')
            .where('student.branch_id', '=', branchId),
        ),
      ]),
    )
  }
  const size = await countUpTo(whole, fresh(whole).select('lead.id'), LOOKED_AT)
  const [counted] = await readBySize(
    fresh(db).select(({ fn }) => fn.countAll<number>().as('count')),
    size,
  )
  return counted?.count ?? 0
}

const countFailedMessages = async (db: ScopedDb, { branchId, now }: Asked): Promise<number> => {
  const failed = db
    .selectFrom('notification')
    .select('notification.id')
    .where('notification.status', '=', 'failed')
    .where('notification.created_at', '>=', plusSeconds(now, -FAILED_DAYS * DAY_SECONDS))
    .$if(branchId !== undefined, (all) => all.where('notification.branch_id', '=', branchId as string))
  return (await readBounded(failed, 'notification.id')).length
}

const countCalls = async (db: ScopedDb, { branchId }: Asked): Promise<number> => {
  const open = db
    .selectFrom('notification_call')
    .select('notification_call.id')
    .where('notification_call.status', '=', 'open')
    .$if(branchId !== undefined, (all) => all.where('notification_call.branch_id', '=', branchId as string))
  return (await readBounded(open, 'notification_call.id')).length
}

/** @returns null: all are done */
const readSetUp = async (whole: ScopedDb): Promise<InferOutput<typeof Attention>['setUp']> => {
  const branches = await whole.selectFrom('branch').select(['created_at', 'updated_at']).limit(2).execute()
  const members = await whole.selectFrom('membership').select('id').limit(2).execute()
  const course = await whole.selectFrom('course').select('id').limit(1).executeTakeFirst()
  const group = await whole.selectFrom('group').select('id').limit(1).executeTakeFirst()
  const fee = await whole.selectFrom('fee_schedule').select('id').limit(1).executeTakeFirst()
  const invoice = await whole.selectFrom('invoice').select('id').limit(1).executeTakeFirst()
  const steps = {
    branches: branches.length > 1 || branches.some((row) => row.updated_at !== row.created_at),
    people: members.length > 1,
    course: course !== undefined,
    group: group !== undefined,
    fees: (fee ?? invoice) !== undefined,
  }
  return Object.values(steps).every(Boolean) ? null : steps
}

/**
 * @throws NotFound for a branch that the institute does not have; SumTooLarge; RateLimited when too many long reads wait
 */
export const readAttention = async (
  asked: Asked,
  { database, lastBackup }: DashboardDeps,
): Promise<InferOutput<typeof Attention>> => {
  const { branchId, caller, whole, tenant, now, reachedBy } = asked
  if (branchId !== undefined) {
    found(await whole.selectFrom('branch').select('id').where('id', '=', branchId).executeTakeFirst())
  }
  const ifReached = async <T>(permission: Permission, look: (db: ScopedDb, asked: Asked) => Promise<T>) => {
    const db = await reachedBy(permission)
    return db === undefined ? null : look(db, asked)
  }
  const invoices = await ifReached('invoices.read', readInvoices)
  const cheques = await ifReached('invoices.read', readCheques)
  return {
    date: localDate(now, tenant.timezone),
    unmarkedSessions: await ifReached('attendance.read', readUnmarked),
    invoicesDueToday: invoices?.dueToday ?? null,
    invoicesOverdue: invoices?.overdue ?? null,
    chequesDue: cheques?.due ?? null,
    chequesComing: cheques?.coming ?? null,
    chequesBounced: cheques?.bounced ?? null,
    freePlaces: await ifReached('enrollments.read', (db) => freePlacesOf(db, branchId)),
    walkIns: await ifReached('enrollments.write', (db) => countWalkIns(db, branchId)),
    proposedChanges: await countProposals(reachedBy, branchId),
    newLeads: await ifReached('leads.read', countNewLeads),
    failedMessages: await ifReached('notifications.manage', countFailedMessages),
    callsToMake: await ifReached('notifications.send', countCalls),
    backup: caller.grants.reach('settings.manage') === 'all' ? lastBackup() : null,
    setUp: caller.grants.reach('settings.manage') === 'all' ? await readSetUp(whole) : null,
    license: caller.isOwner ? await readLicenseStatus(whole, now) : null,
    planLimits: caller.isOwner ? await nearLimits({ whole, tenant, now }) : null,
    planEnd: caller.isOwner ? await planEnd(database.read, tenant.id, now) : null,
  }
}
