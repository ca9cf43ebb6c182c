import type { Actor, Channel } from '#kernel/actor.ts'

/** Where a change comes from, for its audit entries. */
export interface AuditContext {
  actor: Actor
  channel: Channel
  /** What the audit entry is called unless the change says otherwise. */
  action: string
  requestId: string | null
  ip: string | null
}

/** A change that no person asked for: a job, a sweep, the start of the program. */
export const systemAuditContext = (action: string): AuditContext => ({
  actor: { type: 'system' },
  channel: 'system',
  action,
  requestId: null,
  ip: null,
})
