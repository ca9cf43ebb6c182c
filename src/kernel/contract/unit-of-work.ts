import type { Actor, TenantInfo } from '#kernel/who/actor.ts'
import type { ApiError } from '#kernel/values/errors.ts'
import type { EventData, EventType } from './events.ts'
import type { Job } from './job.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { OutsideDb, ScopedDb, SystemDb } from './tables.ts'

/** The part of an audit entry that the feature provides. The runtime adds the actor, the time and the request. */
export interface AuditNote {
  /** Default: the endpoint's id. */
  action?: string
  entityType: string
  entityId: string | null
  /** The record before and after the change, as the API shows it. Members whose names denote secrets are removed. */
  before?: unknown
  after?: unknown
  metadata?: Record<string, unknown>
}

export interface JobOptions {
  /** When the job is due, as an ISO instant. Default: now. */
  runAt?: string
  /**
   * The queue divides its workers fairly among institutes, and among the lanes of one (`laneIn`). Default: the kind of
   * the job; for a kind that runs few at once (`atOnce`), the institute's lane of that name.
   */
  lane?: string
  /** If a job with this key already exists, no new job is created. */
  uniqueKey?: string
}

type KeysOf<T> = T extends unknown ? keyof T : never

/**
 * `Given`, but with a type error for each field that `Wanted` does not have: also when the value is not an object
 * literal.
 */
export type Exactly<Wanted, Given> = Given & { [Field in Exclude<KeysOf<Given>, KeysOf<Wanted>>]: never }

/** What a transaction can do besides writing rows. All of it is committed together with the rows, or not at all. */
interface ChangeWriter {
  readonly actor: Actor
  /** The time of the change: the same for the whole transaction. */
  readonly now: string
  id(): string
  audit(note: AuditNote): void
  /** Enqueues a job of the declared kind. The payload has exactly the fields of its schema. */
  enqueue<P extends object, Given extends P>(job: Job<P>, payload: Exactly<P, Given>, options?: JobOptions): void
}

/** A transaction inside one institute. */
export interface Tx extends ChangeWriter {
  readonly tenant: TenantInfo
  /** Today's date in the institute's time zone. */
  readonly today: string
  /** The rows of the institute that the caller may reach. */
  readonly db: ScopedDb
  /** All rows of the institute, for rules that concern the whole institute (numbering, uniqueness, cascades). */
  readonly whole: ScopedDb
  /** The same transaction, limited to what the caller reaches by another permission than that of the endpoint. */
  within(reach: Reach): Tx
  /**
   * Emits an event with exactly the fields that the contract's table lists for its type. Webhooks deliver it after
   * the commit.
   */
  emit<T extends EventType, Given extends EventData[T]>(type: T, data: Exactly<EventData[T], Given>): void
}

/** A transaction outside any institute: setup, sign-in, platform administration. */
export interface SystemTx extends ChangeWriter {
  /** Rows that belong to no institute. */
  readonly db: OutsideDb
  /** All rows of the database, for the few changes that cannot name an institute. */
  readonly everywhere: SystemDb
  /** The same transaction, limited to one institute, and to what somebody reaches there. Default: all of it. */
  inTenant(tenant: TenantInfo, reach?: Reach): Tx
  /** Says who does all this, where the request began without an account: the audit log names them. */
  doneBy(userId: string): void
  /** Ends what modules have declared of a person that would otherwise outlive their sessions (`endAllOf`). */
  endCredentialsOf(userId: string): Promise<void>
  /**
   * Does a part of the transaction that may be refused. When `work` throws, what it did is taken back, with its audit
   * entries, events and jobs, and the transaction can go on without it.
   * @throws whatever `work` throws; StillNamed, ReferenceGone or ValueTaken for a refusal of the database
   */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

/** Returned by a handler to commit its changes and still refuse the request. */
export class CommitWithError {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}

/** Writes down, in a transaction of its own, what a reply hands out. */
export type Mark = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** What a read has that hands something out once. */
export interface Marking {
  /** undefined: nothing is handed out, as for a HEAD. */
  mark: Mark | undefined
}
