import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { SystemDb, Tables } from '#kernel/contract/tables.ts'

/**
 * Deletes at most `limit` events that occurred before `before`.
 * @param isNeeded the condition for events that other rows still refer to; they are kept
 * @returns how many it deleted
 */
export const forgetEvents = async (
  db: SystemDb,
  { before, limit }: { before: string; limit: number },
  isNeeded: (eb: ExpressionBuilder<Tables, 'event'>) => ExpressionWrapper<Tables, 'event', SqlBool>,
): Promise<number> => {
  const old = db
    .selectFrom('event')
    .select('event.id')
    .where('event.occurred_at', '<', before)
    .where((eb) => eb.not(isNeeded(eb)))
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('event').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
