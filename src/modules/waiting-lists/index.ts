import { jobKind, type Module } from '#kernel/contract/module.ts'
import { waitingEndpoints } from './endpoints.ts'
import { leaveWhenEnrolled } from './service.ts'
import { sweepOffers, sweepOffersJob } from './sweep.ts'
import { waitingTables } from './tables.ts'

export { freePlacesOf } from './proposals.ts'
export { offerNoticeJob, type OfferNotice } from './service.ts'

/** Who waits for a place in a full group. */
export const waitingListsModule: Module = {
  name: 'waiting-lists',
  tags: { 'waiting-lists': 'Who waits for a place in a full group, and to whom one is offered.' },
  tables: waitingTables,
  persons: [
    {
      of: 'student',
      table: 'waiting_entry',
      column: 'student_id',
      once: [['group_id']],
      // Both waited: the one who stays keeps their place in the row.
      twice: 'dropped',
    },
  ],
  reads: { groups: ['enrollment', 'group'], people: ['student'], tenants: ['tenant'] },
  endpoints: waitingEndpoints,
  eventSubscribers: [leaveWhenEnrolled],
  jobs: [jobKind(sweepOffersJob, { handle: sweepOffers })],
  cronJobs: [{ cron: '6 * * * *', job: sweepOffersJob, atStart: true }],
}
