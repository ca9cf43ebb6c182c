import type { Caller } from './actor.ts'
import type { SystemDb } from './tables.ts'

/** Knows one kind of bearer credential. */
export interface Authenticator {
  /** Whether the text looks like a credential of this kind. */
  recognises(credential: string): boolean
  /**
   * @param db a transaction's own, to be told what holds within it; default: what is committed
   * @returns who calls; undefined when the credential is not (or no longer) good
   * @throws ApiError for a named refusal
   */
  authenticate(credential: string, now: string, db?: SystemDb): Promise<Caller | undefined>
}
