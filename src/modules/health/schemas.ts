import * as v from 'valibot'
import { named } from '#kernel/values/named.ts'

export const Check = named(
  'HealthCheck',
  v.object({ status: v.picklist(['ok', 'error']), error: v.optional(v.string()) }),
  {
    status: 'Whether it answers.',
    error: 'What is wrong with it.',
  },
)
export const Liveness = named('Liveness', v.object({ status: v.literal('ok') }), { status: 'The program runs.' })
export const Readiness = named(
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
