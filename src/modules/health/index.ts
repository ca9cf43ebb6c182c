import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Probe } from '#kernel/check.ts'
import { openRead, OtherStatus } from '#kernel/endpoint.ts'
import { StorageProblem } from '#kernel/errors.ts'
import type { Module } from '#kernel/module.ts'
import { named } from '#kernel/named.ts'

const Check = named('HealthCheck', v.object({ status: v.picklist(['ok', 'error']), error: v.optional(v.string()) }), {
  status: 'Whether it answers.',
  error: 'What is wrong with it.',
})
const Liveness = named('Liveness', v.object({ status: v.literal('ok') }), { status: 'The program runs.' })
const Readiness = named(
  'Readiness',
  v.object({
    status: v.picklist(['ok', 'error']),
    checks: named('HealthChecks', v.object({ postgres: Check, redis: Check }), {
      postgres: 'The primary database, whatever serves it here.',
      redis: 'The store of shared limits and caches, whatever serves it here.',
    }),
  }),
  {
    status: 'Whether the server can work.',
    checks: 'What it needs.',
  },
)

export interface HealthDeps {
  /** Runs a real query on the primary database. Throws when that fails: a StorageProblem when the cause is known. */
  probeDatabase(): Promise<void>
  /** The same for the store of shared limits and caches. */
  probeCache(): Promise<void>
  /** Further probes, by modules that depend on other services. When one fails, only the log says which. */
  probes: readonly Probe[]
  log: Logger
}

const DEADLINE_MILLIS = 2000

/** @throws what the probe throws, or an Error when it takes too long */
const inTime = async (probe: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('It takes too long.')), DEADLINE_MILLIS)
  })
  try {
    await Promise.race([probe(), late])
  } finally {
    clearTimeout(timer)
  }
}

const checked = async (probe: () => Promise<void>): Promise<v.InferOutput<typeof Check>> => {
  try {
    await inTime(probe)
    return { status: 'ok' }
  } catch (error) {
    // The reply needs no credential, so it does not reveal other causes.
    return { status: 'error', error: error instanceof StorageProblem ? error.message : 'unreachable' }
  }
}

const passes = async ({ name, probe }: Probe, log: Logger): Promise<boolean> => {
  try {
    await inTime(probe)
    return true
  } catch (error) {
    log.warn({ err: error, probe: name }, 'the program is not ready')
    return false
  }
}

export const healthModule = ({ probeDatabase, probeCache, probes, log }: HealthDeps): Module => ({
  name: 'health',
  tags: {
    health: 'Whether the program runs, and whether it can work: for load balancers and monitors.',
  },
  endpoints: [
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
  ],
})
