import { compiledInTenant } from '#db/queries/compiled.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

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

/** The last number that a counter gave; 0: it gave none. It locks nothing, so others may count meanwhile. */
export const readCounter = async (whole: ScopedDb, name: string): Promise<number> => {
  const row = await whole.selectFrom('tenant_counter').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? 0
}

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

/**
 * Makes others who count with this counter, or lock it, wait until this transaction ends: for whoever looks for something
 * by what people know of it, and adds it where it is not there. It counts nothing.
 */
export const lockCounter = async (whole: ScopedDb, name: string): Promise<void> => {
  await nextNumbers(whole, name, 0)
}

interface TwoCounts {
  first: string
  second: string
  firstBy: number
  secondBy: number
}

const countUpBoth = compiledInTenant((whole, { first, second, firstBy, secondBy }: TwoCounts) =>
  whole
    .insertInto('tenant_counter')
    .values([
      { name: first, value: firstBy },
      { name: second, value: secondBy },
    ])
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'name'])
        .doUpdateSet((eb) => ({ value: eb('tenant_counter.value', '+', eb.ref('excluded.value')) })),
    )
    .returning(['name', 'value']),
)

/**
 * Takes the next numbers of two counters in one statement; of none, it only locks the counter. Callers always name the two
 * in the same order.
 * @param by how many of each @returns the last of each
 */
export const nextNumbersOfBoth = async (
  whole: ScopedDb,
  [first, second]: readonly [first: string, second: string],
  [firstBy, secondBy]: readonly [first: number, second: number],
): Promise<[first: number, second: number]> => {
  const rows = await countUpBoth(whole, { first, second, firstBy, secondBy })
  const of = (wanted: string): number => {
    const counter = rows.find(({ name }) => name === wanted)
    if (!counter) throw new Error('a counter did not count')
    return counter.value
  }
  return [of(first), of(second)]
}

/** Takes the next number of a counter. */
export const nextNumber = (whole: ScopedDb, name: string): Promise<number> => nextNumbers(whole, name, 1)
