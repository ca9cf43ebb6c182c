import type { Module } from '#kernel/contract/module.ts'
import type { DashboardDeps } from './attention.ts'
import { dashboardEndpoints } from './endpoints.ts'

export type { Backup } from './attention.ts'

export const dashboardModule = (deps: DashboardDeps): Module => ({
  name: 'dashboard',
  tags: { dashboard: 'How the institute stands today, and what needs somebody.' },
  reads: {
    attendance: ['attendance'],
    billing: ['cheque', 'invoice'],
    branches: ['branch'],
    courses: ['course'],
    fees: ['fee_schedule'],
    groups: ['enrollment', 'group'],
    leads: ['lead'],
    members: ['membership'],
    notifications: ['notification', 'notification_call'],
    people: ['student'],
    sessions: ['session'],
  },
  endpoints: dashboardEndpoints(deps),
})
