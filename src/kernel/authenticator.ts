import type { Caller } from './actor.ts'
import type { SystemDb } from './tables.ts'

/** Committed rows, or, `within` a transaction, what holds there. */
export interface CredentialLookup {
  db: SystemDb
  inTransaction: boolean
}

/** Knows one kind of bearer credential. */
export interface Authenticator {
  /** Whether the text looks like a credential of this kind. */
  recognises(credential: string): boolean
  /**
   * @param where it is looked up
   * @returns who calls; undefined when the credential is not (or no longer) good
   * @throws ApiError for a named refusal
   */
  authenticate(credential: string, now: string, where: CredentialLookup): Promise<Caller | undefined>
}
