import type { OutsideDb } from '#kernel/tables.ts'
import './tables.ts'

/** Whether an institute has been set up here. */
export const isSetUp = async (db: OutsideDb): Promise<boolean> =>
  (await db.selectFrom('installation').select('singleton').executeTakeFirst()) !== undefined
