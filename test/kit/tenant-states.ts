import type { TestApp } from './app.ts'
import type { TestInstitute } from './institute.ts'

/** What may become of an institute: each has its own refusals. */
export const TENANT_STATES = {
  active: { status: 'active', locked_at: null, writes_end_at: null },
  locked: { status: 'suspended', locked_at: '2026-03-01T08:00:00.000Z', writes_end_at: null },
  archived: { status: 'archived', locked_at: null, writes_end_at: null },
  /** Its subscription was cancelled, and its period has ended. */
  expired: { status: 'active', locked_at: null, writes_end_at: '2026-03-01T08:00:00.000Z' },
} as const
export type TenantState = keyof typeof TENANT_STATES

/** Puts an institute into a state, directly in the database. */
export const putInto = async ({ app }: TestApp, { tenant }: TestInstitute, state: TenantState): Promise<void> => {
  await app.database.write((db) =>
    db.updateTable('tenant').set(TENANT_STATES[state]).where('id', '=', tenant.id).execute(),
  )
}
