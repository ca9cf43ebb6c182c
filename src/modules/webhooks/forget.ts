import type { Tx } from '#kernel/contract/unit-of-work.ts'

/** What other programs answered to an event may say what was in it. */
export const forgetResponse = async ({ whole }: Pick<Tx, 'whole'>, eventId: string): Promise<void> => {
  await whole.updateTable('webhook_delivery').set({ response_excerpt: null }).where('event_id', '=', eventId).execute()
}
