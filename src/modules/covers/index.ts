import type { Module } from '#kernel/contract/module.ts'
import { coverEndpoints } from './endpoints.ts'
import { coverTables } from './tables.ts'

export { coverNoticeJob, type CoverNotice } from './notices.ts'

/** Teachers who stand in for others from day to day. */
export const coversModule: Module = {
  name: 'covers',
  tags: { covers: 'Who stands in for a teacher from day to day.' },
  tables: coverTables,
  reads: { groups: ['group'], people: ['staff'], sessions: ['covered_session', 'session'] },
  endpoints: coverEndpoints,
}
