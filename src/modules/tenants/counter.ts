import { compiledInTenant } from '#db/compiled.ts'
import type { ScopedDb } from '#kernel/tables.ts'

const countUp = compiledInTenant((whole, { name, count }: { name: string; count: number }) =>
  whole
    .insertInto('tenant_counter')
    .values({ name, value: count })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'name'])
        .doUpdateSet((eb) => ({ value: eb('tenant_counter.value', '+', eb.ref('excluded.value')) })),
    )
    .returning('value'),
)

/** Moves the counter to `value`, because the numbers up to it are taken. */
export const skipNumbers = async (whole: ScopedDb, name: string, value: number): Promise<void> => {
  await whole.updateTable('tenant_counter').set({ value }).where('name', '=', name).execute()
}

/**
 * Takes the next `count` numbers of a counter, which starts at 1. @returns the last of them. The counter's row stays locked
 * until the transaction ends, so numbers have no gaps: a rollback also rolls the counter back.
 */
export const nextNumbers = async (whole: ScopedDb, name: string, count: number): Promise<number> => {
  const [counter] = await countUp(whole, { name, count })
  if (!counter) throw new Error('a counter did not count')
  return counter.value
}

const countUpBoth = compiledInTenant((whole, { first, second }: { first: string; second: string }) =>
  whole
    .insertInto('tenant_counter')
    .values([
      { name: first, value: 1 },
      { name: second, value: 1 },
    ])
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'name'])
        .doUpdateSet((eb) => ({ value: eb('tenant_counter.value', '+', eb.ref('excluded.value')) })),
    )
    .returning(['name', 'value']),
)

/** Takes the next number of each of two counters, in one statement. Callers always name the two in the same order. */
export const nextNumberOfBoth = async (
  whole: ScopedDb,
  first: string,
  second: string,
): Promise<[first: number, second: number]> => {
  const rows = await countUpBoth(whole, { first, second })
  const of = (wanted: string): number => {
    const counter = rows.find(({ name }) => name === wanted)
    if (!counter) throw new Error('a counter did not count')
    return counter.value
  }
  return [of(first), of(second)]
}

/** Takes the next number of a counter. */
export const nextNumber = (whole: ScopedDb, name: string): Promise<number> => nextNumbers(whole, name, 1)
