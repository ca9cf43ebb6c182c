import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {},
  // Not before today: only the first is a time of the sessions that there are.
  filters: { 'schedule-conflicts.list': { from: '2020-01-14T12:00:00Z', to: '2026-03-12T00:00:00Z' } },
}
