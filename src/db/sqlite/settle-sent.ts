import { openWriter } from './sqlite.ts'

/** Messages of a kind, and what says what became of each. */
const MESSAGES = {
  notification: [
    'status',
    'reason',
    'attempts',
    'generation',
    'next_attempt_at',
    'sent_at',
    'server_failed_at',
    'digest_id',
    'tries',
  ],
  webhook_delivery: [
    'status',
    'attempts',
    'generation',
    'last_status_code',
    'response_excerpt',
    'next_attempt_at',
    'delivered_at',
  ],
} as const

/**
 * Before a database goes back in time: what waits in it to go out, and has gone out since, does not go out again. What
 * became of it is read in the database that it has become since; in one that it has not become, nobody knows.
 * @param file nobody else has it open, nor the other, which stays as it is; both are of this version
 * @param kinds the kinds of jobs that tell somebody something
 * @returns how many jobs and messages
 */
export const settleSent = (file: string, later: string, kinds: readonly string[]): number => {
  const raw = openWriter(file, { mustExist: true })
  try {
    raw.prepare('attach database ? as later').run(later)
    const isEarlier = raw
      .prepare(
        'select 1 from later.audit_entry where id = (select id from main.audit_entry order by created_at desc, id desc limit 1)',
      )
      .get()
    if (isEarlier === undefined) return 0
    const settle = raw.transaction((): number => {
      const jobs = raw
        .prepare(
          `update main.job set state = 'done', lease_until = null, finished_at = run_at
            where state in ('queued', 'paused', 'running') and kind in (select value from json_each(?))
              and not exists (
                select 1 from later.job where later.job.id = main.job.id and later.job.state in ('queued', 'paused', 'running')
              )`,
        )
        .run(JSON.stringify(kinds)).changes
      const messages = Object.entries(MESSAGES).map(
        ([table, columns]) =>
          raw
            .prepare(
              `update main.${table} as earlier set ${columns.map((name) => `${name} = became.${name}`).join(', ')}
                from later.${table} as became
                where became.id = earlier.id and earlier.status = 'queued' and became.status <> 'queued'`,
            )
            .run().changes,
      )
      return messages.reduce((sum, changed) => sum + changed, jobs)
    })
    return settle()
  } finally {
    raw.close()
  }
}
