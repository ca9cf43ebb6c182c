import type { SystemDb } from '#kernel/contract/tables.ts'

/** What other programs answered to an event may say what was in it. */
export const forgetResponse = async (db: SystemDb, eventId: string): Promise<void> => {
  await db.updateTable('webhook_delivery').set({ response_excerpt: null }).where('event_id', '=', eventId).execute()
}
