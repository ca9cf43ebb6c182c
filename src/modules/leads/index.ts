import { jobKind, type Module } from '#kernel/contract/module.ts'
import { leadEndpoints } from './endpoints.ts'
import { publicEndpoints, type PublicDeps } from './public-endpoints.ts'
import { followStudents } from './service.ts'
import { sweepRegistrations, sweepRegistrationsJob } from './sweep.ts'
import { personsOfLeads } from './persons.ts'
import { leadTables } from './tables.ts'

export { AlreadyConverted, closeLead, lockOpenLead } from './convert.ts'
export { guardiansOfLead, studentOfLead } from './family.ts'
export { leadRecord } from './record.ts'
export type { PublicLimits } from './public-endpoints.ts'

/** Leads, and the institute's public endpoints through which they come. */
export const leadsModule = (deps: PublicDeps): Module => ({
  name: 'leads',
  tags: {
    'public-courses': 'What the institute’s website offers.',
    'public-registrations': 'Registering from the institute’s website.',
    leads: 'People who asked, until they become students.',
  },
  events: ['lead.created'],
  tables: leadTables,
  persons: personsOfLeads,
  reads: { 'course-categories': ['course_category'], courses: ['course'], groups: ['group'] },
  endpoints: [...publicEndpoints(deps), ...leadEndpoints],
  jobs: [jobKind(sweepRegistrationsJob, { handle: sweepRegistrations })],
  cronJobs: [{ cron: '43 * * * *', job: sweepRegistrationsJob }],
  eventSubscribers: [followStudents],
})
