import PQueue from 'p-queue'
import type { Logger } from 'pino'
import { claimJobs, FIRST_LANE, type ClaimedJob } from '#db/claim.ts'
import { CLOCK_SLACK_SECONDS, ClockWatch, plusSeconds } from '#kernel/time/clock.ts'
import { holderOf } from '#kernel/contract/lane.ts'
import { GiveUp, type JobContext, type JobKind } from '#kernel/contract/module.ts'
import type { SystemDb } from '#kernel/contract/tables.ts'
import { sweepInBatches } from '#runtime/change/batches.ts'
import { Ends } from './ends.ts'
import { repairFutureTimes } from './future-jobs.ts'
import { outsideHandle, readHandle } from '#runtime/records/handles.ts'
import { runsOf, type JobRun } from './job-runs.ts'
import { Lanes, limitsOf } from './lanes.ts'
import { LeaseLost, requeueLost } from './lost-jobs.ts'
import { returnPaused } from './paused-jobs.ts'
import { workFor } from '#runtime/change/requester.ts'
import { systemAuditContext } from '#runtime/change/audit-context.ts'
import { runInTransaction, type Runtime } from '#runtime/change/transaction.ts'

/**
 * The lease of a claimed job. If a worker dies, its jobs return to the queue after this time; living workers renew
 * their leases.
 */
const LEASE_SECONDS = 20
const RENEW_MILLIS = 6_000
const MAX_RUNNING = 64
/** Seconds to wait before each retry, unless the kind of the job sets its own; the last value repeats. */
const RETRY_SECONDS = [1, 10, 60, 600]
const MAX_ATTEMPTS = 5
/** The queue polls for due jobs this often, in case no notification arrived. */
const POLL_MILLIS = 500

/**
 * After a claim that left no job due, the next one comes no earlier than this. Jobs that arrive one by one are then
 * claimed in one write, and their kinds may join them. The first job after a quiet time is claimed at once.
 */
const GATHER_MILLIS = 50

/** Jobs that end within so many turns of the event loop share the claim that fills their places. */
const TURNS_BEFORE_CLAIM = 3

const WAKE_CHANNEL = 'institute_jobs'

const afterTurns = (turns: number, work: () => void): void => {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()))
}

/** What the log says of a job. */
const told = ({ id: job, kind, tenant_id }: ClaimedJob) => ({ job, kind, tenantId: tenant_id ?? undefined })

type LoadedRun = JobRun & { loaded: unknown }

interface QueueOptions {
  kinds: ReadonlyMap<string, JobKind>
  log: Logger
  /**
   * No other process uses this database, so jobs that were running when the program last ended can be requeued at once.
   */
  isOnlyProcess: boolean
}

/**
 * The durable job queue. Jobs are rows that are committed together with the change that enqueues them. A worker claims
 * a job with a lease and a fencing number, so each job runs at least once and its effect is committed at most once
 * (JobContext.finish).
 */
export class Queue {
  readonly #runtime: Runtime
  readonly #options: QueueOptions
  readonly #pool: PQueue
  readonly #running = new Map<string, ClaimedJob>()
  readonly #lanes: Lanes
  readonly #stopping = new AbortController()
  readonly #clockWatch: ClockWatch
  readonly #ends: Ends
  #timers: NodeJS.Timeout[] = []
  #unlisten: (() => Promise<void>) | undefined
  #claiming: Promise<number> | undefined
  #lastLane = FIRST_LANE
  #claimAgain = false
  #claimIsScheduled = false
  /** On the clock of performance.now(). */
  #nextClaimAt = 0
  /** The same for a claim while every shared place is taken. */
  #nextOwnClaimAt = 0
  #ownClaimIsScheduled = false

  constructor(runtime: Runtime, options: QueueOptions) {
    this.#runtime = runtime
    this.#options = options
    const limits = limitsOf(options.kinds)
    this.#lanes = new Lanes(MAX_RUNNING, limits)
    const own = [...limits.ownPlaces.values()].reduce((sum, places) => sum + places, 0)
    this.#pool = new PQueue({ concurrency: MAX_RUNNING + own })
    this.#clockWatch = new ClockWatch(runtime.clock)
    this.#ends = new Ends(runtime)
  }

  /** How often a job of this kind runs at most. */
  static maxAttempts(kinds: ReadonlyMap<string, JobKind>, kind: string): number {
    return kinds.get(kind)?.maxAttempts ?? MAX_ATTEMPTS
  }

  /** Starts the workers. Resolves once the jobs that a killed process left running are queued again. */
  async start(): Promise<void> {
    if (this.#options.isOnlyProcess) await this.#requeueLost('9999-12-31T00:00:00.000Z')
    await this.#repairFutureTimes()
    this.#unlisten = await this.#runtime.database.listen(WAKE_CHANNEL, () => this.#scheduleClaim())
    this.#timers = [
      setInterval(() => this.#scheduleClaim(), POLL_MILLIS),
      setInterval(() => this.#background('renew', () => this.#maintainLeases()), RENEW_MILLIS),
    ]
    this.#scheduleClaim()
  }

  /** Tells the queue, here and in other processes, that there are new jobs. */
  wake(): void {
    if (this.#timers.length > 0) this.#scheduleClaim()
    this.#runtime.database.notify(WAKE_CHANNEL)
  }

  /**
   * Stops claiming jobs and waits for the running ones. Jobs that are still running at the deadline return to the queue
   * when their lease expires.
   */
  async stop(deadlineMillis: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
    this.#stopping.abort()
    await this.#unlisten?.()
    await this.#claiming?.catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMillis)
    })
    await Promise.race([this.#pool.onIdle(), deadline])
    clearTimeout(timer)
  }

  /** Runs all jobs that are due, and those that they enqueue. @returns how many jobs ran */
  async drain(): Promise<number> {
    let ran = 0
    for (;;) {
      await this.#maintainLeases()
      const claimed = await this.#claim()
      await this.#pool.onIdle()
      if (claimed === 0) return ran
      ran += claimed
    }
  }

  #background(what: string, work: () => Promise<unknown>): void {
    work().catch((error: unknown) => this.#options.log.error({ err: error }, `queue: ${what} failed`))
  }

  /**
   * Claims due jobs after a few turns of the event loop, or GATHER_MILLIS after a claim that left none due: one claim
   * then fills the places of all jobs that end until then.
   */
  #scheduleClaim(): void {
    if (this.#claimIsScheduled) return
    this.#claimIsScheduled = true
    const start = () => {
      this.#claimIsScheduled = false
      if (this.#stopping.signal.aborted) return
      if (this.#claiming) this.#claimAgain = true
      else this.#background('claim', () => this.#claim())
    }
    const wait = this.#nextClaimAt - performance.now()
    if (wait > 0) setTimeout(start, wait)
    else afterTurns(TURNS_BEFORE_CLAIM, start)
  }

  async #claim(): Promise<number> {
    const ownOnly = this.#lanes.free === 0
    if (ownOnly && !this.#mayClaimOwn()) return 0
    this.#claiming = this.#claimDue(ownOnly)
    try {
      return await this.#claiming
    } finally {
      this.#claiming = undefined
      if (this.#claimAgain) {
        this.#claimAgain = false
        this.#scheduleClaim()
      }
    }
  }

  /** Whether to claim for places of lanes' own while every other is taken: not too often, since most times none is due. */
  #mayClaimOwn(): boolean {
    if (this.#lanes.withOwnPlaces.length === 0) return false
    const wait = this.#nextOwnClaimAt - performance.now()
    if (wait <= 0) {
      this.#nextOwnClaimAt = performance.now() + GATHER_MILLIS
      return true
    }
    if (this.#ownClaimIsScheduled) return false
    this.#ownClaimIsScheduled = true
    setTimeout(() => {
      this.#ownClaimIsScheduled = false
      this.#scheduleClaim()
    }, wait)
    return false
  }

  async #claimDue(ownOnly: boolean): Promise<number> {
    const { database, clock } = this.#runtime
    const claim = async (db: SystemDb): Promise<{ runs: LoadedRun[]; last: string; isMoreDue: boolean }> => {
      const now = clock.now()
      const { jobs, last, isMoreDue } = await claimJobs(db, {
        now,
        leaseUntil: plusSeconds(now, LEASE_SECONDS),
        after: this.#lastLane,
        own: this.#lanes.withOwnPlaces,
        ownOnly,
        share: (due) => this.#lanes.share(due),
        ...(!this.#options.isOnlyProcess && { mostInAll: (lane) => this.#lanes.most(lane) }),
      })
      const load = async (run: JobRun): Promise<LoadedRun> => ({
        ...run,
        loaded: 'error' in run ? undefined : await run.kind.load?.(db, run.payload),
      })
      return { runs: await Promise.all(runsOf(jobs, this.#options.kinds).map(load)), last, isMoreDue }
    }
    // A relaxed commit is enough: a power cut that undoes the claim has also ended this worker.
    const { runs, last, isMoreDue } = await database.write(claim, { relaxed: true })
    if (!ownOnly) {
      this.#lastLane = last
      this.#nextClaimAt = isMoreDue ? 0 : performance.now() + GATHER_MILLIS
    }
    for (const run of runs) {
      for (const job of run.jobs) {
        this.#running.set(job.id, job)
        this.#lanes.jobStarted(job.lane)
      }
      void this.#pool.add(() => this.#run(run))
    }
    return runs.reduce((sum, { jobs }) => sum + jobs.length, 0)
  }

  async #run(run: LoadedRun): Promise<void> {
    const { jobs } = run
    let arePlacesFree = false
    const freePlaces = (): void => {
      if (arePlacesFree) return
      arePlacesFree = true
      for (const { lane } of jobs) this.#lanes.jobEnded(lane)
      if (this.#timers.length > 0) this.#scheduleClaim()
    }
    try {
      await this.#attempt(run, freePlaces)
    } catch (error) {
      if (!(error instanceof LeaseLost)) {
        for (const job of jobs) {
          this.#options.log.warn({ err: error, ...told(job), attempt: job.attempts }, 'job failed')
        }
        await this.#fail(jobs, error).catch((failure: unknown) =>
          this.#options.log.error(
            { err: failure, jobs: jobs.map(({ id }) => id) },
            'the failure of jobs could not be stored',
          ),
        )
      }
    } finally {
      for (const { id } of jobs) this.#running.delete(id)
      freePlaces()
      // Until now the other processes counted them in their lanes, and so did a claim that came in between.
      if (this.#timers.length > 0 && !this.#options.isOnlyProcess) this.#scheduleClaim()
    }
  }

  async #attempt(run: LoadedRun, freePlaces: () => void): Promise<void> {
    if ('error' in run) throw run.error
    const { jobs, kind, payload, loaded } = run
    const runtime = this.#runtime
    const auditContext = systemAuditContext(kind.name)
    let finished = false
    const context: JobContext = {
      payload,
      loaded,
      attempt: jobs[0].attempts,
      now: runtime.clock.now(),
      // Few handlers read with it, and making it takes as long as a query.
      get db() {
        return outsideHandle(runtime)
      },
      inTenant: ({ id }) => readHandle(runtime, id, 'all'),
      everywhere: runtime.database.read,
      signal: this.#stopping.signal,
      change: (work) => runInTransaction(runtime, auditContext, (unit) => work(unit.system())),
      changeFor: (asker, work) =>
        runInTransaction(runtime, { ...asker, action: kind.name }, (unit) => work(unit.system())),
      finish: async (work) => {
        freePlaces()
        await this.#ends.add({ jobs, kind, work })
        finished = true
      },
    }
    const { lane, tenant_id: tenantId } = jobs[0]
    await workFor({ tenantId: tenantId ?? holderOf(lane), id: lane, isJob: true }, () => kind.handle(context))
    if (finished) return
    // There the claim that fills the places is in the commit of the end.
    if (runtime.database.engine === 'sqlite') freePlaces()
    await this.#ends.add({ jobs, kind })
  }

  #retrySecondsOf(kind: string): readonly number[] {
    return this.#options.kinds.get(kind)?.retrySeconds ?? RETRY_SECONDS
  }

  async #fail(jobs: readonly ClaimedJob[], error: unknown): Promise<void> {
    const now = this.#runtime.clock.now()
    await this.#runtime.database.write(async (db) => {
      for (const job of jobs) {
        // Which of several jobs cannot be done is not known: each runs again, alone.
        const dead = jobs.length === 1 && (error instanceof GiveUp || job.attempts >= job.max_attempts)
        const waits = this.#retrySecondsOf(job.kind)
        const wait = waits[Math.min(job.attempts, waits.length) - 1] as number
        const { numUpdatedRows } = await db
          .updateTable('job')
          .set({
            lease_until: null,
            last_error: (error instanceof Error ? error.message : String(error)).slice(0, 1000),
            ...(dead ? { state: 'dead', finished_at: now } : { state: 'queued', run_at: plusSeconds(now, wait) }),
          })
          .where('id', '=', job.id)
          .where('fence', '=', job.fence)
          .where('state', '=', 'running')
          .executeTakeFirst()
        if (dead && numUpdatedRows > 0n) this.#options.log.warn(told(job), 'a job failed for good')
      }
    })
  }

  /** Renews the own leases first: after a change of the clock they would seem to have expired. */
  async #maintainLeases(): Promise<void> {
    await this.#renew()
    const { clock, database } = this.#runtime
    await this.#requeueLost(clock.now())
    await sweepInBatches((limit) => database.write((db) => returnPaused(db, clock.now(), limit)))
    if (this.#clockWatch.wentBack()) await this.#repairFutureTimes()
  }

  async #repairFutureTimes(): Promise<void> {
    /** The kinds of jobs, by the longest delay before one of their retries. */
    const kindsByWait = Map.groupBy(this.#options.kinds.keys(), (kind) => Math.max(...this.#retrySecondsOf(kind)))
    await this.#runtime.database.write((db) => repairFutureTimes(db, this.#runtime.clock.now(), kindsByWait))
  }

  async #requeueLost(leaseEndedBy: string): Promise<void> {
    const now = this.#runtime.clock.now()
    const latestLease = plusSeconds(now, LEASE_SECONDS + CLOCK_SLACK_SECONDS)
    await this.#runtime.database.write((db) =>
      requeueLost(db, { now, leaseEndedBy, latestLease, retrySeconds: RETRY_SECONDS }),
    )
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    const until = plusSeconds(this.#runtime.clock.now(), LEASE_SECONDS)
    await this.#runtime.database.write(async (db) => {
      // In one order for all who lock several.
      for (const job of [...this.#running.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
        await db
          .updateTable('job')
          .set({ lease_until: until })
          .where('id', '=', job.id)
          .where('fence', '=', job.fence)
          .where('state', '=', 'running')
          .execute()
      }
    })
  }
}
