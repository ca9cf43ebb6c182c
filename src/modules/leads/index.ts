import type { Module } from '#kernel/module.ts'
import { leadEndpoints } from './endpoints.ts'
import { publicEndpoints, type PublicDeps } from './public-endpoints.ts'
import { followStudents } from './service.ts'
import { leadTables } from './tables.ts'

export type { PublicLimits } from './public-endpoints.ts'

/** Leads, and the institute's public endpoints through which they come. */
export const leadsModule = (deps: PublicDeps): Module => ({
  name: 'leads',
  events: ['lead.created'],
  tables: leadTables,
  endpoints: [...publicEndpoints(deps), ...leadEndpoints],
  eventSubscribers: [followStudents],
})
