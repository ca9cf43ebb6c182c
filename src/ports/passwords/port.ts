import { RateLimited } from '#kernel/values/errors.ts'

/** Who asks for a password to be hashed or verified, for the order of the queue. */
export interface QueueClient {
  /** Clients with different keys take turns: the key is an address or an account. */
  key: string
  /**
   * true: the client has proved their identity before. Known clients come before strangers and have a queue of their
   * own.
   */
  known: boolean
}

/**
 * Hashes and verifies passwords. This is slow and its concurrency is limited; `client` decides the order. Default: a
 * stranger with the empty key.
 */
export interface Passwords {
  /** @throws Busy */
  hash(password: string, client?: QueueClient): Promise<string>
  /**
   * Whether `password` matches the hash. null, for an account that does not exist: the result is false, and takes as
   * long as for a wrong password. @throws Busy
   */
  verify(hash: string | null, password: string, client?: QueueClient): Promise<boolean>
  /** Whether the hash was made with other parameters than today's: replace it at the next sign-in. */
  needsRehash(hash: string): boolean
}

/**
 * Too many passwords wait to be hashed. This says nothing about the password; the caller should try again (429, 503).
 */
export class Busy extends Error {
  constructor() {
    super('too many passwords are waiting to be checked')
    this.name = 'Busy'
  }
}

/**
 * For `.catch(…)` after hashing or verifying. @throws RATE_LIMITED with Retry-After instead of Busy, or the error
 * itself
 */
export const orTooBusy = (error: unknown): never => {
  throw error instanceof Busy ? RateLimited(undefined, { 'Retry-After': '1' }) : error
}
