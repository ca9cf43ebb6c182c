import type { Caller } from '#kernel/who/actor.ts'
import type { SystemDb } from './tables.ts'

/**
 * Where a credential is looked up: in committed rows, or, when `inTransaction`, in the rows that an open transaction
 * sees.
 */
export interface CredentialLookup {
  db: SystemDb
  inTransaction: boolean
  /**
   * Locks the account behind the credential before it is looked at: until the transaction ends, nobody can disable it,
   * or end its sessions by another change of the account.
   */
  locksAccount: boolean
}

/** Authenticates one kind of bearer credential. */
export interface Authenticator {
  /** Whether the text has the form of this kind of credential. */
  recognises(credential: string): boolean
  /**
   * @param where the rows to look it up in
   * @returns the caller; undefined: the credential is invalid or has expired
   * @throws ApiError for a refusal that has an error code of its own
   */
  authenticate(credential: string, now: string, where: CredentialLookup): Promise<Caller | undefined>
}
