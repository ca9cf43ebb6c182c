import type { InferOutput } from 'valibot'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import { holidaysOf } from './holidays.ts'
import type { HolidayProposals } from './schemas.ts'

/** The holidays of a year, with the closed days of all branches that cover each of them already. */
export const proposeClosures = async (
  db: ScopedDb,
  year: number,
  timezone: string,
): Promise<InferOutput<typeof HolidayProposals>> => {
  const closures = await db
    .selectFrom('closure')
    .select(['id', 'from_date', 'to_date'])
    .where('branch_id', 'is', null)
    .where('to_date', '>=', `${year}-01-01`)
    .where('from_date', '<=', `${year}-12-31`)
    .orderBy('from_date')
    .execute()
  return holidaysOf(year, timezone).map((holiday) => ({
    ...holiday,
    closureId: closures.find((one) => one.from_date <= holiday.from && one.to_date >= holiday.to)?.id ?? null,
  }))
}
