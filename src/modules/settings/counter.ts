import { compiledInTenant } from '#db/compiled.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import './tables.ts'

const countUp = compiledInTenant((whole, { name }: { name: string }) =>
  whole
    .insertInto('tenant_counter')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'name']).doUpdateSet((eb) => ({ value: eb('tenant_counter.value', '+', 1) })),
    )
    .returning('value'),
)

/** Moves the counter to `value`, because the numbers up to it are taken. */
export const skipNumbers = async (whole: ScopedDb, name: string, value: number): Promise<void> => {
  await whole.updateTable('tenant_counter').set({ value }).where('name', '=', name).execute()
}

/**
 * The next number of a counter, starting at 1. The counter's row stays locked until the transaction ends, so numbers
 * have no gaps: a rollback also rolls the counter back.
 */
export const nextNumber = async (whole: ScopedDb, name: string): Promise<number> => {
  const [counter] = await countUp(whole, { name })
  if (!counter) throw new Error('a counter did not count')
  return counter.value
}
