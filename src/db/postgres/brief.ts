import { sql, type Kysely } from 'kysely'
import { TransactionHandle } from '#db/transaction-handle.ts'
import type { Tables } from '#kernel/contract/tables.ts'

/** How long a brief change waits for a lock. It is shorter than Postgres waits before it looks for a deadlock. */
const LOCK_MILLIS = 100
/** How long it takes at most, and so does each of its statements. */
const MILLIS = 1000

/** A brief change took too long. */
export class TookTooLong extends Error {
  constructor() {
    super('a brief change took too long')
    this.name = 'TookTooLong'
  }
}

type Work<T> = (db: Kysely<Tables>) => Promise<T>

/**
 * Makes work that gives up, so that its transaction is rolled back, when it waits for a lock, when a statement takes long,
 * or when it waits for something other than the database.
 */
export const briefly =
  <T>(work: Work<T>): Work<T> =>
  async (db) => {
    await sql`
      select set_config('lock_timeout', ${String(LOCK_MILLIS)}, true), set_config('statement_timeout', ${String(MILLIS)}, true)
    `.execute(db)
    const handle = new TransactionHandle()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TookTooLong()), MILLIS)
    })
    try {
      return await Promise.race([work(db.withPlugin(handle)), late])
    } finally {
      clearTimeout(timer)
      // What goes on after its time would run outside of the transaction.
      handle.ended = true
    }
  }
