import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: { export: { few: 'an institute has one at most' } },
  kept: ({ first, nth, at }) => ({
    export: [
      {
        id: nth(91),
        tenant_id: first('student')['tenant_id'],
        status: 'done',
        percent: 100,
        size_bytes: 4711,
        sha256: '0'.repeat(64),
        finished_at: at,
        created_at: at,
        updated_at: at,
      },
    ],
  }),
}
