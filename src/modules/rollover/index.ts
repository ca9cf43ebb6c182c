import { jobKind, type Module } from '#kernel/contract/module.ts'
import { sweepFormer, sweepFormerJob } from './end-former.ts'
import { rolloverEndpoints } from './endpoints.ts'
import { fillJob, fillOn } from './fill.ts'
import { rolloverTables } from './tables.ts'

export { rolloverNoticeJob, type RolloverNotice } from './fill.ts'

/** Groups that go on in a new year. */
export const rolloverModule: Module = {
  name: 'rollover',
  tables: rolloverTables,
  reads: {
    closures: ['closure'],
    courses: ['course'],
    groups: ['enrollment', 'group'],
    people: ['staff', 'student'],
    sessions: ['schedule_rule'],
  },
  endpoints: rolloverEndpoints,
  jobs: [jobKind(fillJob, { handle: fillOn }), jobKind(sweepFormerJob, { handle: sweepFormer })],
  cronJobs: [{ cron: '11 * * * *', job: sweepFormerJob, atStart: true }],
}
