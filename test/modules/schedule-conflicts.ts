import type { Owed } from '#kit/owed.ts'

export const owed: Owed = {
  tables: {},
  // Only `from` lies in the time of the existing sessions; `to` must not be before today.
  filters: { 'schedule-conflicts.list': { from: '2020-01-14T12:00:00Z', to: '2026-03-12T00:00:00Z' } },
}
