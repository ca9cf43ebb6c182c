import type { SystemDb } from '#kernel/contract/tables.ts'
import { hasAny, type Named } from '#runtime/change/erase-logged.ts'
import { emptied, scrubbed } from '#runtime/change/scrub.ts'

/** Takes a person who is erased out of jobs that have ended: they are kept for a day, or until somebody tries them again. */
export const eraseEndedJobs = async (db: SystemDb, { tenantId, ids }: Named): Promise<void> => {
  const ended = await db
    .selectFrom('job')
    .select(['id', 'state', 'payload'])
    .where('tenant_id', '=', tenantId)
    .where('state', 'in', ['done', 'dead'])
    .where((eb) => hasAny(eb, ['payload'], ids))
    .execute()
  for (const { id, state, payload } of ended) {
    // One that is done never runs again, and needs no words.
    const clean = state === 'done' ? emptied(payload) : scrubbed(payload, new Set(ids))
    await db
      .updateTable('job')
      .set({ payload: clean as Record<string, unknown>, last_error: null })
      .where('id', '=', id)
      .execute()
  }
}

/** Deletes jobs of a kind that do not run now. @param isMeant by their payload */
export const deleteJobs = async (
  db: SystemDb,
  kind: string,
  isMeant: (payload: Readonly<Record<string, unknown>>) => boolean,
): Promise<void> => {
  const waiting = db
    .selectFrom('job')
    .select(['id', 'payload'])
    .where('kind', '=', kind)
    .where('state', '!=', 'running')
  for (const { id, payload } of await waiting.execute()) {
    if (isMeant(payload)) await db.deleteFrom('job').where('id', '=', id).where('state', '!=', 'running').execute()
  }
}
