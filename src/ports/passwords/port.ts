import { RateLimited } from '#kernel/errors.ts'

/** Where in the line of passwords somebody stands. */
export interface QueueClient {
  /** Those who wait take turns by this: an address, an account. */
  key: string
  /** They showed before who they are: they go ahead of strangers, and strangers take none of their places. */
  known: boolean
}

/** Hashing is slow and capped: who comes first is said by `place`. Default: one stranger among all others. */
export interface Passwords {
  /** Throws Busy. */
  hash(password: string, client?: QueueClient): Promise<string>
  /**
   * Whether `password` is the one that was hashed. Without a hash, which is an account that does not exist, the answer
   * is false and costs what a wrong password costs. Throws Busy.
   */
  verify(hash: string | null, password: string, client?: QueueClient): Promise<boolean>
  /** The hash was made otherwise than `hash` makes one today: replace it at the next sign-in. */
  needsRehash(hash: string): boolean
}

/** Too many passwords wait to be checked. It says nothing about the password; the caller asks for patience (429, 503). */
export class Busy extends Error {
  constructor() {
    super('too many passwords are waiting to be checked')
    this.name = 'Busy'
  }
}

/** For `.catch(…)` after hashing or verifying. @throws RATE_LIMITED with Retry-After in place of Busy, or the error itself */
export const orTooBusy = (error: unknown): never => {
  throw error instanceof Busy ? RateLimited(undefined, { 'Retry-After': '1' }) : error
}
