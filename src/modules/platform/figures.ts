import type { InferOutput } from 'valibot'
import { indexIn } from '#db/queries/periods.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { OutsideDb } from '#kernel/contract/tables.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { FiguresQuery, PlatformMonth } from './figures-schemas.ts'
import { endOf, monthOf, monthsUntil, startOf } from './months.ts'
import { recurringNow, totalsOf } from './recurring.ts'

interface Counted {
  at: number
  count: number
}

/** How many there were before the months, and in each of them. */
const spread = (rows: readonly Counted[], months: readonly string[]): { before: number; in: number[] } => {
  const countAt = (at: number) => rows.find((row) => row.at === at)?.count ?? 0
  return { before: countAt(0), in: months.map((_, index) => countAt(index + 1)) }
}

/** What the dates of institutes and subscriptions say of each month. */
const readDated = async (db: OutsideDb, months: readonly string[]) => {
  const [first = ''] = months
  // The first of these times is all that was before the months.
  const ends = [startOf(first), ...months.map(endOf)]
  const tenants = (column: 'created_at' | 'archived_at' | 'locked_at') =>
    db
      .selectFrom('tenant')
      .where(`tenant.${column}`, 'is not', null)
      .select(({ fn }) => [indexIn(`tenant.${column}`, ends).as('at'), fn.countAll<number>().as('count')])
      .groupBy('at')
  const [created, archived, locked, cancelled] = await Promise.all([
    tenants('created_at').execute(),
    tenants('archived_at').execute(),
    tenants('locked_at').where('tenant.status', '=', 'suspended').execute(),
    db
      .selectFrom('subscription')
      .where('subscription.cancelled_at', 'is not', null)
      .where('subscription.replaced_at', 'is', null)
      .select(({ fn }) => [indexIn('subscription.cancelled_at', ends).as('at'), fn.countAll<number>().as('count')])
      .groupBy('at')
      .execute(),
  ])
  return {
    created: spread(created, months),
    archived: spread(archived, months),
    locked: spread(locked, months),
    cancelled: spread(cancelled, months),
  }
}

interface Asked {
  db: OutsideDb
  cursors: Cursors
  now: string
  query: InferOutput<typeof FiguresQuery>
}

/** The present month first. @throws VALIDATION_ERROR for a cursor of another list */
export const readFigures = async ({ db, cursors, now, query }: Asked): Promise<Page<PlatformMonth>> => {
  const months = monthsUntil(now, query.months)
  const [first = ''] = months
  const [dated, counts, recurring] = await Promise.all([
    readDated(db, months),
    db.selectFrom('platform_month').selectAll().where('month', '>=', first).execute(),
    recurringNow(db, now),
  ])
  let institutes = dated.created.before - dated.archived.before
  const all = months.map((month, index): PlatformMonth => {
    const at = (figure: keyof typeof dated) => dated[figure].in[index] ?? 0
    institutes += at('created') - at('archived')
    const counted = counts.find((row) => row.month === month)
    const brought = month === monthOf(now) ? recurring : (counted?.recurring ?? null)
    return {
      month,
      institutes,
      created: at('created'),
      archived: at('archived'),
      cancelled: at('cancelled'),
      locked: at('locked'),
      students: counted?.students ?? null,
      recurring: brought,
      totals: brought && totalsOf(brought),
      countedAt: counted?.counted_at ?? null,
    }
  })
  const [before] = query.cursor === undefined ? [] : cursors.decode(query.cursor)
  const rest = all.filter(({ month }) => before === undefined || month < String(before)).toReversed()
  const data = rest.slice(0, query.limit)
  const last = rest.length > query.limit ? data.at(-1) : undefined
  return { data, nextCursor: last ? cursors.encode([last.month]) : null }
}
