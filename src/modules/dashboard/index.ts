import type { Module } from '#kernel/module.ts'
import { dashboardEndpoints } from './endpoints.ts'

export const dashboardModule: Module = {
  name: 'dashboard',
  tags: { dashboard: 'How the institute stands today.' },
  reads: { groups: ['group'], people: ['student'], sessions: ['session'] },
  endpoints: dashboardEndpoints,
}
