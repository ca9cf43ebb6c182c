import type { ScopedDb } from '#kernel/tables.ts'
import './tables.ts'

/**
 * The next number of a row of numbers, from 1. The counter's row stays locked until the change ends, so numbers are
 * given out in a row: a change that is undone takes its number back.
 */
export const nextNumber = async (whole: ScopedDb, name: string): Promise<number> => {
  const { value } = await whole
    .insertInto('tenant_counter')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'name']).doUpdateSet((eb) => ({ value: eb('tenant_counter.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}
