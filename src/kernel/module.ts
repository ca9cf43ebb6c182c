import type * as v from 'valibot'
import type { TenantInfo } from './actor.ts'
import type { Authenticator } from './authenticator.ts'
import type { Check, Probe } from './check.ts'
import type { Endpoint } from './endpoint.ts'
import type { EventData, EventType } from './events.ts'
import type { Job, NoPayload } from './job.ts'
import type { OutsideDb, SystemDb, TableRules } from './tables.ts'
import type { SystemTx } from './unit-of-work.ts'

/** A job as its handler sees it. A handler may run more than once for one job: it must be safe to repeat. */
export interface JobContext<P = unknown, L = unknown> {
  payload: P
  /** What `load` read. */
  loaded: L
  /** 1 for the first run. */
  attempt: number
  now: string
  /** What is inside no institute. */
  db: OutsideDb
  /** All of the database, for the few that cannot name an institute. */
  everywhere: SystemDb
  /** A change on the way, kept whether or not the job ends well. */
  change<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  /**
   * The job's last change: kept together with the job's end, once, however often the job ran. Its place goes to the next
   * job at once, so that one commit keeps the end of this and the beginning of that.
   */
  finish(work: (tx: SystemTx) => Promise<void>): Promise<void>
  /** Aborted when the program stops. */
  signal: AbortSignal
}

/** How jobs of one kind run. */
export interface JobWork<P, L> {
  /**
   * Reads what a run begins with in the transaction that claims the job, for jobs so many that a look of their own is
   * what limits them. It fails only where the database does: then nothing is claimed.
   */
  load?(db: SystemDb, payload: P): Promise<L>
  handle(context: JobContext<P, L>): Promise<void>
  /** After so many failed runs the job is dead. Default 5. */
  maxAttempts?: number
  /**
   * A power cut may undo what `finish` keeps, and the job then runs again: for one that is repeated at little cost, and so
   * often that waiting for the disk each time would be what limits it. Default: no.
   */
  relaxed?: boolean
  /** Waits after a failed run, by attempt; the last one repeats. Default: 1 s, 10 s, 1 min, 10 min. */
  retrySeconds?: readonly number[]
}

/** A declared job and how it runs, as the queue knows it: of jobs of every kind alike. */
export interface JobKind extends JobWork<unknown, unknown> {
  readonly name: string
  readonly payload: v.GenericSchema
}

/** A declared job with what runs it, for the module's list. */
export const jobKind = <P extends object, L>({ name, payload }: Job<P>, work: JobWork<NoInfer<P>, L>): JobKind => ({
  ...work,
  name,
  payload,
})

/** What a job handler throws when every other run would fail alike: the job is dead at once. */
export class GiveUp extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'GiveUp'
  }
}

/** A job that is made by the clock, once per slot however many processes schedule it. */
export interface CronJob {
  /** Five cron fields, UTC. */
  cron: string
  job: Job<NoPayload>
  atStart?: boolean
}

interface Recorded<T extends EventType> {
  id: string
  tenant: TenantInfo
  type: T
  data: Readonly<EventData[T]>
  occurredAt: string
  /** The exact bytes that are delivered: {id, type, occurredAt, tenantId, data}. */
  body: string
}

/** An event that was recorded in a transaction that is still open. */
export type RecordedEvent = { [T in EventType]: Recorded<T> }[EventType]

/**
 * Hears of events inside the transaction that recorded them, and may write, record and enqueue with it: how one feature
 * follows another without the other knowing it (a withdrawn student leaves the groups, a webhook gets its delivery).
 */
export type EventSubscriber = (tx: SystemTx, events: readonly RecordedEvent[]) => Promise<void>

/**
 * Everything that a feature brings: one value, one line in app/modules.ts. What two modules bring under the same name is
 * refused at start.
 */
export interface Module {
  name: string
  tables?: TableRules
  endpoints?: readonly Endpoint[]
  jobs?: readonly JobKind[]
  cronJobs?: readonly CronJob[]
  /** Events of the contract's table that it records. */
  events?: readonly EventType[]
  eventSubscribers?: readonly EventSubscriber[]
  /** Know one kind of credential each. */
  authenticators?: readonly Authenticator[]
  /** Whether pages of this origin may call the endpoints that take a publishable key. */
  knowsOrigin?(origin: string, now: string, db: SystemDb): Promise<boolean>
  /** Asked by GET /health/ready. */
  probes?: readonly Probe[]
  /** Asked by `institute doctor`, which never starts the module. */
  checks?: readonly Check[]
  /** Begins what goes on beside requests and jobs. The program does not open when it throws. */
  start?(): Promise<void>
  /** After the last request and job, while the database is still open; also of a module that was never started. */
  close?(): Promise<void>
}
