import type { Actor, Channel } from '#kernel/who/actor.ts'

/** Who makes a change and through which request, for its audit entries. */
export interface AuditContext {
  actor: Actor
  channel: Channel
  /** The action of the audit entries, unless an entry sets its own. */
  action: string
  requestId: string | null
  ip: string | null
}

/** The context of a change that no person requested: a job, a sweep, the start of the program. */
export const systemAuditContext = (action: string): AuditContext => ({
  actor: { type: 'system' },
  channel: 'system',
  action,
  requestId: null,
  ip: null,
})

/** A change that the operator of the server makes with a command. */
export const commandAuditContext = (action: string): AuditContext => ({ ...systemAuditContext(action), channel: 'cli' })
