import type { Database as Connection, Statement } from 'better-sqlite3'
import type {
  Kysely,
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import type { Tables } from '#kernel/tables.ts'

type Work<T> = (db: Kysely<Tables>) => Promise<T>

interface QueuedChange {
  work: Work<unknown>
  relaxed: boolean
  succeed: (value: unknown) => void
  fail: (error: unknown) => void
}

interface Hooks {
  /** Throws when what is written would not last. Asked before a commit, so that nothing is written then, and after it. */
  check(): void
  /** Lets go of what readers of this process still see: what was before a commit, and holds up the log. */
  endReads(): void
  /** Hears of every commit. */
  committed(): void
}

/** A change waited for something other than the database while it held the only writer. */
export class WaitedInTransaction extends Error {
  constructor() {
    super('a transaction waited for something that is not the database')
    this.name = 'WaitedInTransaction'
  }
}

/** How long a group goes on taking members, and how many it takes at the most. */
const GROUP_MILLIS = 5
const GROUP_MEMBERS = 64

/**
 * The one writer of a SQLite database. Changes run one after another, each in its own savepoint, and those that stand
 * in line share one commit and so one sync to the disk. Nobody hears of success before that commit.
 */
export class GroupCommit {
  readonly #raw: Connection
  readonly #db: Kysely<Tables>
  readonly #hooks: Hooks
  readonly #statements: Readonly<Record<'begin' | 'commit' | 'save' | 'release', Statement>>
  #queue: QueuedChange[] = []
  #isRelaxed = false
  #running = false

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

  /** Changes that have not begun. */
  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Runs `work` in a transaction; resolves once it is on the disk, or, where it is relaxed, in the hands of the system.
   * @throws whatever `work` throws, undone.
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
      // What came meanwhile is read in the next turn, and goes on behind that turn's immediates: let it through first.
      await new Promise<void>((next) => setImmediate(() => setImmediate(next)))
    }
    this.#running = false
  }

  /** Whether commits wait for the disk. Cannot be changed within a transaction. */
  #relax(relaxed: boolean): void {
    if (relaxed === this.#isRelaxed) return
    this.#raw.pragma(`synchronous = ${relaxed ? 'NORMAL' : 'FULL'}`)
    this.#isRelaxed = relaxed
  }

  async #runGroup(): Promise<void> {
    const members: QueuedChange[] = []
    const settle: (() => void)[] = []
    const end = performance.now() + GROUP_MILLIS
    try {
      const relaxed = this.#queue.every((member) => member.relaxed)
      this.#hooks.check()
      this.#relax(relaxed)
      this.#hooks.endReads()
      this.#statements.begin.run()
      while (members.length < GROUP_MEMBERS && performance.now() < end) {
        // Whoever comes in the meantime and needs the disk has the next group.
        if (!this.#queue[0] || (relaxed && !this.#queue[0].relaxed)) break
        const member = this.#queue.shift() as QueuedChange
        members.push(member)
        settle.push(await this.#runMember(member))
      }
      this.#statements.commit.run()
      this.#hooks.endReads()
      this.#hooks.check()
    } catch (error) {
      if (this.#raw.inTransaction) this.#raw.exec('rollback')
      if (members.length === 0) members.push(...this.#queue.splice(0, 1))
      for (const member of members) member.fail(error)
      return
    }
    for (const tell of settle) tell()
    this.#hooks.committed()
  }

  /** Returns how to tell the caller of the outcome, once the group's commit is done. @throws when the group is lost. */
  async #runMember(member: QueuedChange): Promise<() => void> {
    const lifetime = new TransactionHandle()
    let turnEnd: NodeJS.Immediate | undefined
    // Queries on this connection settle in microtasks: a change that is still open after a turn of the event loop waits
    // for something else, and would keep every other change waiting with it.
    const waitedTooLong = new Promise<never>((_, fail) => {
      turnEnd = setImmediate(() => fail(new WaitedInTransaction()))
    })
    this.#statements.save.run()
    try {
      const value = await Promise.race([member.work(this.#db.withPlugin(lifetime)), waitedTooLong])
      this.#statements.release.run()
      return () => member.succeed(value)
    } catch (error) {
      // SQLite itself rolls everything back on a full disk or an I/O error: then nobody's change was kept.
      if (!this.#raw.inTransaction) throw error
      this.#raw.exec('rollback to change; release change')
      return () => member.fail(error)
    } finally {
      lifetime.ended = true
      clearImmediate(turnEnd)
    }
  }
}

/** Ends a change's handle with the change: what strays on afterwards must not write into somebody else's. */
class TransactionHandle implements KyselyPlugin {
  ended = false

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    if (this.ended) throw new Error('this transaction has ended')
    return args.node
  }
  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result
  }
}
