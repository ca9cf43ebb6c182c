import type { Caller } from './actor.ts'

/** Knows one kind of bearer credential. */
export interface Authenticator {
  /** Whether the text looks like a credential of this kind. */
  recognises(credential: string): boolean
  /** @returns who calls; undefined when the credential is not (or no longer) good. @throws ApiError for a named refusal */
  authenticate(credential: string, now: string): Promise<Caller | undefined>
}
