import type { Logger } from 'pino'
import type { Module } from '#kernel/contract/module.ts'
import { sweepJob } from './declared-jobs.ts'
import { classListEndpoint } from './class-list/endpoint.ts'
import { importEndpoints } from './endpoints.ts'
import { importJobs } from './jobs.ts'
import type { RunDeps } from './run.ts'
import { importTables } from './tables.ts'

export { forgetImported } from './forget.ts'

export { callerOf } from './caller.ts'
export { placeInWords, refusedCsv } from './refused-file.ts'
export { requestImport } from './service.ts'
export { findImport, type ImportRow } from './state.ts'
export { IMPORT_KINDS, type ImportKind } from './tables.ts'
export { WORDS as IMPORT_WORDS } from './words/index.ts'

export const importsModule = (deps: RunDeps & { log: Logger }): Module => ({
  name: 'imports',
  tags: { imports: 'Lists that come in as files: students with their guardians, staff, enrolments, opening balances.' },
  tables: importTables,
  // The invoices and the credit of both opening balances stay.
  persons: [{ of: 'student', table: 'imported_balance', column: 'student_id', once: [['currency']], twice: 'dropped' }],
  reads: {
    'api-keys': ['api_key'],
    billing: ['credit_entry', 'invoice'],
    branches: ['branch'],
    courses: ['course'],
    files: ['file'],
    groups: ['enrollment', 'group'],
    identity: ['user'],
    members: ['membership'],
    people: ['guardian', 'guardian_link', 'staff', 'student'],
    runtime: ['job'],
  },
  endpoints: [...importEndpoints, classListEndpoint],
  jobs: importJobs(deps),
  cronJobs: [{ cron: '23 * * * *', job: sweepJob }],
})
