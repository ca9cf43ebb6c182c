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
  /** The statement after which the change stands still. */
  after: number
  seen: number
  reached(): void
  resumed: Promise<void>
}

/** A change that was let begin and stands still in the middle, or will. */
export interface Held {
  /** Once so many statements have run; never, when the change has fewer. */
  reached: Promise<void>
  /** Nobody is stopped any more who has not been yet. */
  letPass(): void
  resume(): void
  /** How many statements ran so far. */
  readonly seen: number
}

/**
 * Stops a change between two of its statements, its locks in hand, so that another can do all that it is let do
 * meanwhile. Only on Postgres: on SQLite a change has the database to itself.
 */
export class Gate {
  #hold: Hold | undefined
  /** How often the database ended a change because it and another waited for each other. */
  collisions = 0

  /** The database, whose changes pass through the gate. */
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

  /** The changes that begin from now on run so many statements; the caller sees to it that they are of one request. */
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
/** Whoever neither ends nor waits for the database waits for something in the program, and ends when that does. */
const LONGEST_MILLIS = 1000

/** Resolves when the request has ended, or stands still because somebody else has what it needs. */
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
