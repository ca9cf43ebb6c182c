import type { Queries } from '#kernel/contract/tables.ts'

/** Whether an institute has been set up here. */
export const isSetUp = async (db: Queries): Promise<boolean> =>
  (await db.selectFrom('installation').select('singleton').executeTakeFirst()) !== undefined
