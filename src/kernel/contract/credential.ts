import type { SystemTx } from './unit-of-work.ts'

/** What ends for somebody: a session, a password, what they are or may do here, or their institute. */
export const ENDS = [
  'logout',
  'logout_all',
  'password_changed',
  'password_reset',
  'user_disabled',
  'membership_disabled',
  'membership_deleted',
  'role_taken',
  'tenant_locked',
  'tenant_archived',
  'impersonation_ended',
  'record_unlinked',
] as const
export type End = (typeof ENDS)[number]

/**
 * Something by which somebody comes in, or by which something goes out, without a person at the keyboard saying so each
 * time. Every module declares its own; a test compares the declarations with the columns of the database and with the
 * purposes of seals and tags, and tries each end on each of them.
 */
export interface Credential {
  /** Unique. */
  name: string
  /** Whose it is: it ends with them where `ends` says so. */
  of: 'user' | 'member' | 'institute' | 'server' | 'recipient'
  /** What it opens, and how long it lives by itself. */
  opens: string
  /** It can outlive the session in which it was handed out: an impersonated session gets none. */
  lasting: boolean
  /** The columns that hold it, its hash or its seal, as `table.column`. */
  columns?: readonly string[]
  /** The purposes under which the vault seals or tags it. */
  purposes?: readonly string[]
  /** From its next use on it is refused once one of these has come. */
  ends: readonly End[]
  /** Why none of the other ends touches it. */
  why: string
  /**
   * Ends all that a person has, in every institute, where it would otherwise outlive their sessions. It runs when all
   * their sessions end, in the same transaction.
   */
  endAllOf?(tx: SystemTx, userId: string): Promise<void>
}
