import type { SystemDb } from '#kernel/contract/tables.ts'

/** The first column of the index of the jobs in each state that is no good end, and what no job has less than there. */
const INDEXES = {
  queued: ['lane', ''],
  paused: ['kind', ''],
  running: ['lease_until', '1900-01-01T00:00:00.000Z'],
  dead: ['kind', ''],
} as const

export type OpenState = keyof typeof INDEXES

/**
 * A query of the jobs in one state. The state is a constant and the index of this state is named by its first column, so
 * that both databases read that index, and not what has ended well, however much it is.
 */
export const jobsInState = (db: SystemDb, state: OpenState) => {
  const [column, least] = INDEXES[state]
  return db.selectFrom('job').where('state', '=', state).where(column, '>=', least)
}
