import type { Logger } from 'pino'
import type { CheckResult, Probe } from '#kernel/contract/check.ts'
import { openRead } from '#kernel/contract/endpoint.ts'
import { OtherStatus } from '#kernel/values/other-status.ts'
import { checked, passes } from './probes.ts'
import { Liveness, Readiness } from './schemas.ts'

export interface HealthDeps {
  /** Runs a real query on the primary database. Throws when that fails: a StorageProblem when the cause is known. */
  probeDatabase(): Promise<void>
  /** The same for the store of shared limits and caches. */
  probeCache(): Promise<void>
  /** Further probes, by modules that depend on other services. When one fails, only the log says which. */
  probes: readonly Probe[]
  /** Says what is wrong with a cache that is not embedded; undefined: it is. */
  lookAtCache: (() => Promise<CheckResult>) | undefined
  log: Logger
}

export const healthEndpoints = ({ probeDatabase, probeCache, probes, log }: HealthDeps) => [
  openRead({
    id: 'health.live',
    path: '/health/live',
    summary: 'Whether the program runs',
    access: 'anyone',
    unlimited: true,
    reply: Liveness,
    handle: async () => ({ status: 'ok' as const }),
  }),
  openRead({
    id: 'health.ready',
    path: '/health/ready',
    summary: 'Whether the program can serve: its database and its shared store answer',
    description:
      '`postgres` is the primary database and `redis` the store of shared limits and caches, whatever serves them here. 503 with the same shape when one does not answer. An embedded database is ok when its files are at their place and its disk takes a small write; where that is what is wrong, `error` says so.',
    access: 'anyone',
    unlimited: true,
    reply: Readiness,
    otherStatuses: [503],
    handle: async () => {
      const [postgres, redis, ...others] = await Promise.all([
        checked(probeDatabase),
        checked(probeCache),
        ...probes.map((probe) => passes(probe, log)),
      ])
      const ok = postgres.status === 'ok' && redis.status === 'ok' && others.every(Boolean)
      const reply = { status: ok ? ('ok' as const) : ('error' as const), checks: { postgres, redis } }
      return ok ? reply : new OtherStatus(503, reply)
    },
  }),
]
