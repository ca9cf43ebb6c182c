import path from 'node:path'
import { claimJobs, FIRST_LANE } from '#db/claim.ts'
import { openSqlite } from '#db/database.ts'
import { migrate } from '#db/steps/migrate.ts'
import { plusSeconds, systemClock } from '#kernel/time/clock.ts'
import { newId } from '#kernel/basics/ids.ts'
import { migrations } from '#migrations'
import '#runtime/change/tables.ts'

/** The number of lanes with waiting jobs. */
export const LANES = 20
/** The number of claims in one round. */
export const CLAIMS = 2000
const AT_ONCE = 8
const DAY_SECONDS = 24 * 3600

/** Opens a queue in this process: `idle` jobs, spread over the lanes, wait for tomorrow, and as many are done. */
export const openQueue = async (folder: string, idle: number) => {
  const database = openSqlite(path.join(folder, 'queue.db'))
  await migrate(database, migrations)
  const now = systemClock.now()
  const add = async (count: number, more: Record<string, unknown>) => {
    for (let left = count; left > 0; left -= 500) {
      const rows = Array.from({ length: Math.min(left, 500) }, (_, index) => ({
        id: newId(),
        kind: 'bench',
        lane: `lane ${index % LANES}`,
        payload: {},
        max_attempts: 5,
        created_at: now,
        ...more,
      }))
      await database.write((db) =>
        db
          .insertInto('job')
          .values(rows as never)
          .execute(),
      )
    }
  }
  await add(idle, { run_at: plusSeconds(now, DAY_SECONDS) })
  await add(idle, { run_at: now, state: 'done', finished_at: now })
  return {
    /** Enqueues the jobs for one measurement. */
    prepare: () => add(CLAIMS * AT_ONCE, { run_at: now, lane: 'due' }),
    /** Measures claims per second; each claims a few jobs, and commits like the program. */
    claimRate: async (): Promise<{ rate: number }> => {
      const started = performance.now()
      for (let claim = 0; claim < CLAIMS; claim += 1) {
        const { jobs: claimed } = await database.write(
          (db) =>
            claimJobs(db, {
              now: systemClock.now(),
              leaseUntil: plusSeconds(now, DAY_SECONDS),
              after: FIRST_LANE,
              share: () => new Map([['due', AT_ONCE]]),
            }),
          { relaxed: true },
        )
        if (claimed.length !== AT_ONCE) throw new Error(`${claimed.length} jobs were claimed`)
      }
      return { rate: (CLAIMS / (performance.now() - started)) * 1000 }
    },
    close: () => database.close(),
  }
}
