import * as v from 'valibot'
import { openRead, OtherStatus } from '#kernel/endpoint.ts'
import { StorageProblem } from '#kernel/errors.ts'
import type { Module } from '#kernel/module.ts'

const Check = v.object({ status: v.picklist(['ok', 'error']), error: v.optional(v.string()) })
const Readiness = v.object({
  status: v.picklist(['ok', 'error']),
  checks: v.object({ postgres: Check, redis: Check }),
})

export interface HealthDeps {
  /** Does something real with the primary database; throws when it cannot, a StorageProblem where it knows why. */
  probeDatabase(): Promise<void>
  /** The same of the store of shared limits and caches. */
  probeCache(): Promise<void>
}

const DEADLINE_MILLIS = 2000

const checked = async (probe: () => Promise<void>): Promise<v.InferOutput<typeof Check>> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error()), DEADLINE_MILLIS)
  })
  try {
    await Promise.race([probe(), late])
    return { status: 'ok' }
  } catch (error) {
    // Whoever asks needs no credential: of other reasons they learn nothing.
    return { status: 'error', error: error instanceof StorageProblem ? error.message : 'unreachable' }
  } finally {
    clearTimeout(timer)
  }
}

export const healthModule = ({ probeDatabase, probeCache }: HealthDeps): Module => ({
  name: 'health',
  endpoints: [
    openRead({
      id: 'health.live',
      path: '/health/live',
      summary: 'Whether the program runs',
      access: 'anyone',
      unlimited: true,
      reply: v.object({ status: v.literal('ok') }),
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
        const [postgres, redis] = await Promise.all([checked(probeDatabase), checked(probeCache)])
        const ok = postgres.status === 'ok' && redis.status === 'ok'
        const reply = { status: ok ? ('ok' as const) : ('error' as const), checks: { postgres, redis } }
        return ok ? reply : new OtherStatus(503, reply)
      },
    }),
  ],
})
