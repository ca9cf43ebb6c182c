import type { Caller } from './actor.ts'
import type { SystemDb } from './tables.ts'

/**
 * Where a credential is looked up: in committed rows, or, when `inTransaction`, in the rows that an open transaction
 * sees.
 */
export interface CredentialLookup {
  db: SystemDb
  inTransaction: boolean
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
