import type { Module } from '#kernel/contract/module.ts'
import { healthEndpoints, type HealthDeps } from './endpoints.ts'

export const healthModule = (deps: HealthDeps): Module => ({
  name: 'health',
  tags: {
    health: 'Whether the program runs, and whether it can work: for load balancers and monitors.',
  },
  endpoints: healthEndpoints(deps),
  checks: deps.lookAtCache ? [{ about: 'redis', look: deps.lookAtCache }] : [],
})
