import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import { CompiledQuery } from 'kysely'
import { isCollision } from '#db/broken-rules.ts'
import type { Database } from '#db/database.ts'

interface Hold {
  /** The transaction pauses after so many statements. */
  after: number
  seen: number
  reached(): void
  resumed: Promise<void>
}

/** A transaction that will pause, or has paused. */
export interface Held {
  /** Resolves after so many statements; never, when the transaction has fewer. */
  reached: Promise<void>
  /** Disarms the gate for transactions that have not paused yet. */
  letPass(): void
  resume(): void
  /** How many statements have run so far. */
  readonly seen: number
}

/**
 * Pauses a transaction between two statements, with its locks held, so that another can run as far as the locks allow.
 * Only on Postgres: on SQLite only one transaction writes at a time.
 */
export class Gate {
  #hold: Hold | undefined
  /** How many transactions the database ended because of a deadlock. */
  collisions = 0

  /** The database, with all transactions going through the gate. */
  readonly wrap = (database: Database): Database => ({
    ...database,
    write: (work, options) =>
      database.write(async (db) => {
        try {
          return await work(db.withPlugin(this.#plugin))
        } catch (error) {
          if (isCollision(error)) this.collisions += 1
          throw error
        }
      }, options),
  })

  /**
   * Transactions that begin from now on pause after so many statements; the caller makes sure that all belong to one
   * request.
   */
  hold(after: number): Held {
    const reached = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    const hold: Hold = { after, seen: 0, reached: reached.resolve, resumed: resumed.promise }
    this.#hold = hold
    return {
      reached: reached.promise,
      letPass: () => {
        if (this.#hold === hold) this.#hold = undefined
      },
      resume: () => {
        if (this.#hold === hold) this.#hold = undefined
        resumed.resolve()
      },
      get seen() {
        return hold.seen
      },
    }
  }

  readonly #plugin: KyselyPlugin = {
    transformQuery: ({ node }: PluginTransformQueryArgs): RootOperationNode => node,
    transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => {
      const hold = this.#hold
      if (hold) {
        hold.seen += 1
        if (hold.seen === hold.after) {
          this.#hold = undefined
          hold.reached()
          await hold.resumed
        }
      }
      return result
    },
  }
}

const WAITING = CompiledQuery.raw(
  "select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
)
const LOOKS = 2
/** A request that has not ended by then and waits for no lock waits for something inside the program. */
const LONGEST_MILLIS = 1000

/** Resolves when the request has ended, or waits for a lock of another transaction. */
export const endedOrWaiting = async (database: Database, request: Promise<unknown>): Promise<void> => {
  let ended = false
  const end = request.then(() => {
    ended = true
  })
  const deadline = performance.now() + LONGEST_MILLIS
  for (let looks = 0; looks < LOOKS && performance.now() < deadline;) {
    const { rows } = await database.read.executeQuery<{ waiting: number }>(WAITING)
    if (ended) return
    looks = rows[0]?.waiting ? looks + 1 : 0
    await Promise.race([end, new Promise((next) => setTimeout(next, 1))])
  }
}
