import { jobKind, type Module } from '#kernel/contract/module.ts'
import { alignClosureJob, alignClosureOn } from './align.ts'
import { closureEndpoints } from './endpoints.ts'
import { closureTables } from './tables.ts'

export { closureNoticeJob, type ClosureNotice } from './align.ts'

/** The days on which the institute, or one of its branches, is closed. */
export const closuresModule: Module = {
  name: 'closures',
  tags: { closures: 'The days on which the institute, or a branch, is closed.' },
  tables: closureTables,
  reads: { branches: ['branch'], groups: ['group'], sessions: ['session'] },
  endpoints: closureEndpoints,
  jobs: [jobKind(alignClosureJob, { handle: alignClosureOn })],
}
