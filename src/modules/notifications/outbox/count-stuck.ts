import type { SystemDb } from '#kernel/contract/tables.ts'
import { oldestOf } from './stuck.ts'

/** The mails of all institutes that wait, or were given up, because of a mail server: for a check of the program. */
export const countStuckMails = async (
  db: SystemDb,
  now: string,
): Promise<{ waiting: number; failed: number; since: string | null }> => {
  const rows = await db
    .selectFrom('notification')
    .select(({ fn }) => ['status', fn.countAll<number>().as('messages'), fn.min('created_at').as('since')])
    .where('channel', '=', 'email')
    .where('status', 'in', ['queued', 'failed'])
    .where('server_failed_at', 'is not', null)
    .where('created_at', '>=', oldestOf(now))
    .groupBy('status')
    .execute()
  const of = (status: string): number => rows.find((row) => row.status === status)?.messages ?? 0
  const [since = null] = rows.map((row) => row.since).toSorted()
  return { waiting: of('queued'), failed: of('failed'), since }
}
