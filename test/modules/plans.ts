import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {},
  filters: { 'subscriptions.list': { status: 'active', expiringWithinDays: '7' } },
  kept: ({ first, nth, at, later }) => ({
    plan: [
      {
        id: nth(30),
        code: 'standard',
        name: 'Standard',
        price_minor: 19_900,
        currency: 'ILS',
        interval: 'monthly',
        features: { mcp: true },
        quotas: { maxStudents: 300 },
        created_at: at,
        updated_at: at,
      },
    ],
    subscription: [
      {
        id: nth(31),
        tenant_id: first('student')['tenant_id'],
        plan_id: nth(30),
        status: 'active',
        current_period_start: at,
        current_period_end: later,
        created_at: at,
        updated_at: at,
      },
    ],
  }),
}
