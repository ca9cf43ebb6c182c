import type { Database as Connection, Statement } from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { TransactionHandle } from '#db/transaction-handle.ts'
import type { Tables } from '#kernel/contract/tables.ts'

type Work<T> = (db: Kysely<Tables>) => Promise<T>

interface QueuedChange {
  work: Work<unknown>
  relaxed: boolean
  succeed: (value: unknown) => void
  fail: (error: unknown) => void
}

interface Hooks {
  /**
   * Throws when writes to the database file would be lost. Called before each group, so that nothing is written then,
   * and again after the commit of a group that must be durable.
   */
  check(): void
  /** Ends the read snapshot of this process. It would hide the commit from readers and stop checkpoints. */
  endReads(): void
  /** Called after every commit. */
  committed(): void
}

/** A transaction waited for something other than the database while it blocked the only writer. */
export class WaitedInTransaction extends Error {
  constructor() {
    super('a transaction waited for something that is not the database')
    this.name = 'WaitedInTransaction'
  }
}

/** How long a group accepts further changes, and how many it accepts at most. */
const GROUP_MILLIS = 5
const GROUP_MEMBERS = 64

/**
 * The only writer of a SQLite database. Changes run one after another, each in a savepoint. Changes that wait at the
 * same time share one commit, and so one sync of the disk (group commit). No caller hears of success before the commit.
 */
export class GroupCommit {
  readonly #raw: Connection
  readonly #db: Kysely<Tables>
  readonly #hooks: Hooks
  readonly #statements: Readonly<Record<'begin' | 'commit' | 'save' | 'release', Statement>>
  #queue: QueuedChange[] = []
  #isRelaxed = false
  #running = false
  #turnEnd: NodeJS.Immediate | undefined
  /** Fails the open change. */
  #failOpenChange: (error: WaitedInTransaction) => void = () => {}

  constructor(raw: Connection, db: Kysely<Tables>, hooks: Hooks) {
    this.#raw = raw
    this.#db = db
    this.#hooks = hooks
    this.#statements = {
      begin: raw.prepare('begin immediate'),
      commit: raw.prepare('commit'),
      save: raw.prepare('savepoint change'),
      release: raw.prepare('release change'),
    }
  }

  /** How many changes wait. */
  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Runs `work` in a transaction. Resolves once the commit is on disk; a relaxed commit, once the operating system has
   * it.
   * @throws whatever `work` throws; the change is then rolled back
   */
  run<T>(work: Work<T>, relaxed: boolean): Promise<T> {
    return new Promise<T>((succeed, fail) => {
      this.#queue.push({ work, relaxed, succeed: succeed as (value: unknown) => void, fail })
      if (this.#running) return
      this.#running = true
      setImmediate(() => void this.#runGroups())
    })
  }

  async #runGroups(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#runGroup()
      // Requests that arrived meanwhile are read in the next turn of the event loop and continue after its immediates
      // (see src/http/server/event-loop.ts). Let them run before the next group.
      await new Promise<void>((next) => setImmediate(() => setImmediate(next)))
    }
    this.#running = false
  }

  /** Sets whether commits wait for the disk. This cannot be changed within a transaction. */
  #relax(relaxed: boolean): void {
    if (relaxed === this.#isRelaxed) return
    this.#raw.pragma(`synchronous = ${relaxed ? 'NORMAL' : 'FULL'}`)
    this.#isRelaxed = relaxed
  }

  /**
   * Queries on this connection settle in microtasks. So a change that is still open after a turn of the event loop waits
   * for something else, and would make all other changes wait too: it fails.
   */
  #watch(): void {
    this.#turnEnd = setImmediate(() => {
      this.#failOpenChange(new WaitedInTransaction())
      this.#watch()
    })
  }

  async #runGroup(): Promise<void> {
    const members: QueuedChange[] = []
    const settle: (() => void)[] = []
    const end = performance.now() + GROUP_MILLIS
    this.#watch()
    try {
      const relaxed = this.#queue.every((member) => member.relaxed)
      this.#hooks.check()
      this.#relax(relaxed)
      this.#hooks.endReads()
      this.#statements.begin.run()
      while (members.length < GROUP_MEMBERS && performance.now() < end) {
        // A relaxed group does not take a change that must be durable: that change runs in the next group.
        if (!this.#queue[0] || (relaxed && !this.#queue[0].relaxed)) break
        const member = this.#queue.shift() as QueuedChange
        members.push(member)
        settle.push(await this.#runMember(member))
      }
      this.#statements.commit.run()
      this.#hooks.endReads()
      if (!relaxed) this.#hooks.check()
    } catch (error) {
      if (this.#raw.inTransaction) this.#raw.exec('rollback')
      if (members.length === 0) members.push(...this.#queue.splice(0, 1))
      for (const member of members) member.fail(error)
      return
    } finally {
      clearImmediate(this.#turnEnd)
    }
    for (const tell of settle) tell()
    this.#hooks.committed()
  }

  /**
   * Returns a function that reports the result to the caller; it is called after the commit. @throws when SQLite has
   * rolled back the whole group
   */
  async #runMember(member: QueuedChange): Promise<() => void> {
    const lifetime = new TransactionHandle()
    this.#statements.save.run()
    try {
      const value = await new Promise((resolve, reject) => {
        this.#failOpenChange = reject
        member.work(this.#db.withPlugin(lifetime)).then(resolve, reject)
      })
      this.#statements.release.run()
      return () => member.succeed(value)
    } catch (error) {
      // After a full disk or an I/O error, SQLite rolls back the whole transaction: no change of the group was kept.
      if (!this.#raw.inTransaction) throw error
      this.#raw.exec('rollback to change; release change')
      return () => member.fail(error)
    } finally {
      lifetime.ended = true
    }
  }
}
