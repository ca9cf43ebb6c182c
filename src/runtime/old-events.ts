import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { SystemDb, Tables } from '#kernel/tables.ts'
import './tables.ts'

/**
 * Forgets at most `limit` events that came about before an instant.
 * @param isNeeded an event of which others still hold something
 * @returns how many it forgot
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
