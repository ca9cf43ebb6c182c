import type { Actor, TenantInfo } from './actor.ts'
import type { ApiError } from './errors.ts'
import type { EventData, EventType } from './events.ts'
import type { Job } from './job.ts'
import type { OutsideDb, ScopedDb, SystemDb } from './tables.ts'

/** What an audit entry says beside who, when and from where, which the runtime adds. */
export interface AuditNote {
  /** Default: the endpoint's id. */
  action?: string
  entityType: string
  entityId: string | null
  /** The record before and after, as the API shows it; keys that name secrets are dropped. */
  before?: unknown
  after?: unknown
  metadata?: Record<string, unknown>
}

export interface JobOptions {
  /** Default: at once. ISO instant. */
  runAt?: string
  /** Jobs of one lane share its turn; lanes take turns. Default: the job's kind. */
  lane?: string
  /** A second job with the same key is not made. */
  uniqueKey?: string
}

type KeysOf<T> = T extends unknown ? keyof T : never

/** `Given` where it has no field that `Wanted` does not name: also of a value that was made elsewhere. */
export type Exactly<Wanted, Given> = Given & { [Field in Exclude<KeysOf<Given>, KeysOf<Wanted>>]: never }

/** What a change can do besides writing rows. Everything here is kept with the change or not at all. */
interface Recorder {
  readonly actor: Actor
  /** One instant for the whole change. */
  readonly now: string
  id(): string
  audit(note: AuditNote): void
  /** Makes a job of the declared kind. The payload has the fields of its schema, no more and no fewer. */
  enqueue<P extends object, Given extends P>(job: Job<P>, payload: Exactly<P, Given>, options?: JobOptions): void
}

/** A change inside one institute. */
export interface Tx extends Recorder {
  readonly tenant: TenantInfo
  /** Today's date in the institute's timezone. */
  readonly today: string
  /** The caller's rows: the institute's, and of those the ones that the caller's permission reaches. */
  readonly db: ScopedDb
  /** All rows of the institute, for rules that concern it as a whole (numbers, uniqueness, what a cascade touches). */
  readonly whole: ScopedDb
  /**
   * Records an event of the contract's table, with exactly the fields of its row; it is delivered to whoever subscribed,
   * after the commit.
   */
  record<T extends EventType, Given extends EventData[T]>(type: T, data: Exactly<EventData[T], Given>): void
}

/** A change that is not inside one institute: setup, sign-in, the platform. */
export interface SystemTx extends Recorder {
  /** What is inside no institute. */
  readonly db: OutsideDb
  /** All of the database, for the few that cannot name an institute. */
  readonly everywhere: SystemDb
  /** The same change, inside one institute. */
  inTenant(tenant: TenantInfo): Tx
}

/** What a handler returns in place of a reply when the change must be kept although the caller is refused. */
export class CommitWithError {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}
