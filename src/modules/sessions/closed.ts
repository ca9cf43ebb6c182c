import { compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/** Days on which a branch is closed, both inclusive. */
export interface ClosedDays {
  id: string
  name: string
  from: string
  to: string
}

const closuresIn = compiledInTenant(
  (whole, { branchId, from, until }: { branchId: string; from: string; until: string }) =>
    whole
      .selectFrom('closure')
      .select(['id', 'name', 'from_date as from', 'to_date as to'])
      .where('from_date', '<=', until)
      .where('to_date', '>=', from)
      .where((eb) => eb.or([eb('branch_id', 'is', null), eb('branch_id', '=', branchId)]))
      .orderBy('from_date')
      .orderBy('id'),
)

/** When a branch is closed within these days, first closed first. */
export const closuresOf = (
  whole: ScopedDb,
  branchId: string,
  days: { from: string; until: string },
): Promise<ClosedDays[]> => closuresIn(whole, { branchId, ...days })

export const closureOn = <Closed extends Pick<ClosedDays, 'from' | 'to'>>(
  closures: readonly Closed[],
  date: string,
): Closed | undefined => closures.find(({ from, to }) => from <= date && date <= to)
