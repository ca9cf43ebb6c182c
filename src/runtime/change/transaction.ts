import type { Insertable } from 'kysely'
import { brokenForeignKey, brokenUnique } from '#db/broken-rules.ts'
import { overloadOf } from '#db/overload.ts'
import { inSavepoint } from '#db/savepoint.ts'
import type { Database, WriteOptions } from '#db/database.ts'
import { outside, scoped } from '#db/scope/scope.ts'
import { actingUserId, previewOf, type TenantInfo } from '#kernel/who/actor.ts'
import type { Clock } from '#kernel/time/clock.ts'
import type { Credential } from '#kernel/contract/credential.ts'
import { ApiError, ReferenceGone, StillNamed, ValueTaken, type Failure } from '#kernel/values/errors.ts'
import { newId } from '#kernel/basics/ids.ts'
import type { Job } from '#kernel/contract/job.ts'
import type { EventSubscriber, EmittedEvent } from '#kernel/contract/module.ts'
import { once } from '#kernel/basics/once.ts'
import type { Reach } from '#kernel/rights/permissions.ts'
import type { ScopedDb, SystemDb, TableRules, Tables } from '#kernel/contract/tables.ts'
import type { AuditNote, JobOptions, SystemTx, Tx } from '#kernel/contract/unit-of-work.ts'
import { localDate } from '#kernel/time/zone.ts'
import { inBatches } from './batches.ts'
import { compiledInsert } from '#db/queries/compiled.ts'
import { forAudit } from './redact.ts'
import type { AuditContext } from './audit-context.ts'

export interface Runtime {
  database: Database
  clock: Clock
  rules: TableRules
  subscribers: readonly EventSubscriber[]
  credentials: readonly Credential[]
  /** How often a job of this kind runs at most. */
  maxAttempts(jobKind: string): number
  /** The lane of a job of this kind that is enqueued without one. @param tenantId null: it belongs to no institute */
  usualLane(jobKind: string, tenantId: string | null): string
  /** Called after a commit that enqueued jobs. */
  wake(): void
  /**
   * Called when the database refuses a change for a reason that no feature translated; `refusal` is what the caller
   * gets.
   */
  unforeseenRefusal(refusal: ApiError, auditContext: AuditContext): void
}

interface NewAuditEntry extends AuditNote {
  tenantId: string | null
}

interface NewJob {
  kind: string
  payload: Record<string, unknown>
  options: JobOptions
  tenantId: string | null
}

const insertEvents = compiledInsert((db: SystemDb, rows: Insertable<Tables['event']>[]) =>
  db.insertInto('event').values(rows),
)

const insertEntries = compiledInsert((db: SystemDb, rows: Insertable<Tables['audit_entry']>[]) =>
  db.insertInto('audit_entry').values(rows),
)

const insertJobs = compiledInsert(
  // If a job with this unique key exists, no new job is created.
  (db: SystemDb, rows: Insertable<Tables['job']>[]) =>
    db
      .insertInto('job')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Translates a refusal of the database that the feature did not translate. A broken foreign key: other records still
 * refer to this one, or a record that this one refers to is gone. A broken unique constraint: the value is taken.
 * undefined: another kind of error.
 */
const refusalOf = (cause: unknown): ApiError | undefined => {
  const meaning = ({ spec }: Failure) => new ApiError(spec, undefined, undefined, { cause })
  const side = brokenForeignKey(cause)
  if (side) return meaning(side === 'named' ? StillNamed : ReferenceGone)
  return brokenUnique(cause) === undefined ? undefined : meaning(ValueTaken)
}

/** One open transaction. It collects audit entries, events and jobs, and writes them before the commit. */
class Change {
  readonly #runtime: Runtime
  readonly #auditContext: AuditContext
  readonly #db: SystemDb
  readonly #now: string
  #notes: NewAuditEntry[] = []
  #events: EmittedEvent[] = []
  #jobs: NewJob[] = []
  /** Who turned out to do it. */
  #doneBy: string | null = null
  madeJobs = false

  constructor(runtime: Runtime, auditContext: AuditContext, db: SystemDb, now: string) {
    this.#runtime = runtime
    this.#auditContext = auditContext
    this.#db = db
    this.#now = now
  }

  get isAudited(): boolean {
    return this.#notes.length > 0
  }

  #writer(tenantId: string | null) {
    return {
      actor: this.#auditContext.actor,
      now: this.#now,
      id: newId,
      audit: (note: AuditNote) => void this.#notes.push({ ...note, tenantId }),
      enqueue: <P extends object>({ name }: Job<P>, payload: P, options: JobOptions = {}) =>
        void this.#jobs.push({ kind: name, payload: payload as Record<string, unknown>, options, tenantId }),
    }
  }

  system(): SystemTx {
    // Most of them never use this handle, and it costs as much as a query.
    const handle = once(() => outside(this.#db, this.#runtime.rules))
    const tx: SystemTx = {
      ...this.#writer(null),
      get db() {
        return handle()
      },
      everywhere: this.#db,
      inTenant: (tenant, reach = 'all') => this.tenant(tenant, reach),
      doneBy: (userId) => {
        this.#doneBy = userId
      },
      endCredentialsOf: async (userId) => {
        for (const { endAllOf } of this.#runtime.credentials) await endAllOf?.(tx, userId)
      },
      attempt: (work) => this.#attempt(work),
    }
    return tx
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    const [notes, events, jobs] = [this.#notes.length, this.#events.length, this.#jobs.length]
    try {
      return await inSavepoint(this.#db, work)
    } catch (error) {
      this.#notes.length = notes
      this.#events.length = events
      this.#jobs.length = jobs
      const refusal = refusalOf(error)
      if (!refusal) throw error
      this.#runtime.unforeseenRefusal(refusal, this.#auditContext)
      throw refusal
    }
  }

  tenant(tenant: TenantInfo, reach: Reach): Tx {
    const { rules } = this.#runtime
    // A handle costs more than a query: a change of many institutes may only emit events in most of them.
    const handles = new Map<Reach, ScopedDb>()
    const handleOf = (wanted: Reach): ScopedDb => {
      const handle = handles.get(wanted) ?? scoped(this.#db, { tenantId: tenant.id, rules, reach: wanted })
      handles.set(wanted, handle)
      return handle
    }
    const now = this.#now
    return {
      ...this.#writer(tenant.id),
      tenant,
      get db() {
        return handleOf(reach)
      },
      get whole() {
        return handleOf('all')
      },
      get today() {
        return localDate(now, tenant.timezone)
      },
      within: (other) => this.tenant(tenant, other),
      emit: (type, data) => {
        const id = newId()
        const body = JSON.stringify({ id, type, occurredAt: now, tenantId: tenant.id, data })
        this.#events.push({ id, tenant, type, data, occurredAt: now, body } as EmittedEvent)
      },
    }
  }

  #insertEvents(events: readonly EmittedEvent[]): Promise<void> {
    return inBatches(events, (batch) =>
      insertEvents(
        this.#db,
        batch.map(({ id, tenant, type, occurredAt, body }) => ({
          id,
          tenant_id: tenant.id,
          type,
          occurred_at: occurredAt,
          body,
        })),
      ),
    )
  }

  /** Writes the events, what their subscribers add, the audit entries and the jobs. */
  async finish(): Promise<void> {
    // Subscribers also get the events that other subscribers emit.
    while (this.#events.length > 0) {
      const events = this.#events
      this.#events = []
      await this.#insertEvents(events)
      for (const subscriber of this.#runtime.subscribers) await subscriber(this.system(), events)
    }
    const { actor, channel, action, requestId, ip } = this.#auditContext
    const preview = previewOf({ actor })
    const doer = preview?.userId ?? actingUserId(actor) ?? this.#doneBy
    await inBatches(this.#notes, (batch) =>
      insertEntries(
        this.#db,
        batch.map((note) => ({
          id: newId(),
          tenant_id: note.tenantId,
          actor_user_id: doer,
          actor_type: actor.type,
          channel,
          action: note.action ?? action,
          entity_type: note.entityType,
          entity_id: note.entityId,
          before: forAudit(note.before),
          after: forAudit(note.after),
          metadata: forAudit({
            ...note.metadata,
            ...(actor.type === 'api_key' && { apiKeyId: actor.keyId }),
            ...(actor.type === 'user' && actor.impersonatorId && { impersonatedBy: actor.impersonatorId }),
            ...(preview && { previewedRoleId: preview.roleId }),
          }),
          request_id: requestId,
          ip,
          created_at: this.#now,
        })),
      ),
    )
    await inBatches(this.#jobs, (batch) =>
      insertJobs(
        this.#db,
        batch.map(({ kind, payload, options, tenantId }) => ({
          id: newId(),
          tenant_id: tenantId,
          kind,
          lane: options.lane ?? this.#runtime.usualLane(kind, tenantId),
          payload,
          run_at: options.runAt ?? this.#now,
          max_attempts: this.#runtime.maxAttempts(kind),
          lease_until: null,
          unique_key: options.uniqueKey ?? null,
          last_error: null,
          created_at: this.#now,
          finished_at: null,
        })),
      ),
    )
    this.madeJobs = this.#jobs.length > 0
  }
}

/** An open transaction, as the runtime passes it to the code that runs in it. */
export interface OpenTransaction {
  db: SystemDb
  now: string
  system(): SystemTx
  tenant(tenant: TenantInfo, reach: Reach): Tx
  /** Whether there is an audit entry so far. */
  readonly isAudited: boolean
}

/** Opens a change in a transaction, and writes what it has collected after its `work`. @returns what `work` returns */
const makeChange = async <T>(
  runtime: Runtime,
  db: SystemDb,
  { auditContext, work }: { auditContext: AuditContext; work: (unit: OpenTransaction) => Promise<T> },
): Promise<{ value: T; madeJobs: boolean }> => {
  const now = runtime.clock.now()
  const change = new Change(runtime, auditContext, db, now)
  const value = await work({
    db,
    now,
    system: () => change.system(),
    tenant: (tenant, reach) => change.tenant(tenant, reach),
    get isAudited() {
      return change.isAudited
    },
  })
  await change.finish()
  return { value, madeJobs: change.madeJobs }
}

/**
 * Runs `work` in one transaction: its rows, events, audit entries and jobs are committed together or not at all. `work`
 * may run again from the start (see Database.write), so it must not keep state outside the transaction.
 * @throws whatever `work` throws; StillNamed, ReferenceGone, ValueTaken or Overloaded for a refusal of the database
 */
export const runInTransaction = async <T>(
  runtime: Runtime,
  auditContext: AuditContext,
  work: (unit: OpenTransaction) => Promise<T>,
  options?: WriteOptions,
): Promise<T> => {
  const make = (db: SystemDb) => makeChange(runtime, db, { auditContext, work })
  const { value, madeJobs } = await runtime.database.write(make, options).catch((error: unknown) => {
    // Contention between transactions that outlasted all retries is no fault of the change: the caller may try again.
    const refusal = refusalOf(error) ?? overloadOf(error)
    if (!refusal) throw error
    runtime.unforeseenRefusal(refusal, auditContext)
    throw refusal
  })
  if (madeJobs) runtime.wake()
  return value
}

/** One of several changes that are made in one transaction. */
export interface ChangeAmongOthers {
  auditContext: AuditContext
  work(tx: SystemTx): Promise<void>
}

/**
 * Makes several small changes, one after the other, in one brief transaction: as if each had been committed before the next,
 * but all are kept or none is. Where it throws, make each by itself.
 * @param prepare runs first, and returns the changes to make
 * @throws whatever the database or one of them throws
 */
export const runTogether = async (
  runtime: Runtime,
  prepare: (db: SystemDb) => Promise<readonly ChangeAmongOthers[]>,
): Promise<void> => {
  const makeAll = async (db: SystemDb): Promise<boolean> => {
    let madeJobs = false
    for (const { auditContext, work } of await prepare(db)) {
      const made = await makeChange(runtime, db, { auditContext, work: (unit) => work(unit.system()) })
      madeJobs ||= made.madeJobs
    }
    return madeJobs
  }
  if (await runtime.database.write(makeAll, { brief: true })) runtime.wake()
}
