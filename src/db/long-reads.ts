import {
  AndNode,
  ParensNode,
  WhereNode,
  type CompiledQuery,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type SelectQueryBuilder,
  type SelectQueryNode,
  type Simplify,
  type UnknownRow,
  sql,
} from 'kysely'
import type { Database as Connection } from 'better-sqlite3'
import { BoundedCache } from '#kernel/bounded-cache.ts'
import type { ScopedDb } from '#kernel/tables.ts'

/**
 * On SQLite a query runs on the thread that answers everybody, so that its time is everybody's wait. What may look at
 * very many rows is run aside: on a connection of a thread of its own. Postgres is such a thing in itself: there all of
 * this changes nothing.
 */

/** Runs reads in another thread. Each sees what was committed before it was asked. */
export interface ReadingThread {
  /** @throws what the database throws; RateLimited when too many wait; Error after the time limit */
  run(query: { sql: string; parameters: readonly unknown[] }): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** So many rows this thread looks at for one list: one to five milliseconds. */
export const MAX_ROWS_READ = 2000

/** A list is not full after as many rows as this thread looks at. */
class RowBudgetExceeded extends Error {
  constructor() {
    super('a query has looked at as many rows as it may')
    this.name = 'LookedEnough'
  }
}

/** The SQL function that is asked for every row that a bounded query looks at. */
const COUNT_ROW = 'count_row'

/** Counts the rows that one statement of a connection looks at. */
export class RowBudget {
  #left = 0

  constructor(raw: Connection) {
    raw.function(COUNT_ROW, (_row: unknown) => {
      this.#left -= 1
      if (this.#left < 0) throw new RowBudgetExceeded()
      return 1
    })
  }

  /** A statement begins. */
  renew(): void {
    this.#left = MAX_ROWS_READ
  }
}

/** Ends a bounded query that takes too long, in the thread for those that may look at every row. */
export class TimeBudget {
  #end = 0

  constructor(raw: Connection) {
    raw.function(COUNT_ROW, (_row: unknown) => {
      if (performance.now() > this.#end) throw new Error('a query took too long')
      return 1
    })
  }

  renew(millis: number): void {
    this.#end = performance.now() + millis
  }
}

/** How a query is to run on SQLite; said of the root of its tree, which reaches compiler and connection unchanged. */
interface RunHints {
  /** A column of what the query goes through, as `table.column`. */
  countedBy?: string
  onReadingThread?: true
}

const runHints = new WeakMap<OperationNode, RunHints>()

/** Whether a query that ran, ran in the other thread where there is one. */
export const runsOnReadingThread = ({ query }: CompiledQuery): boolean => runHints.get(query)?.onReadingThread === true

class HintPlugin implements KyselyPlugin {
  readonly #hints: RunHints

  constructor(hints: RunHints) {
    this.#hints = hints
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    const root = { ...node }
    runHints.set(root, { ...runHints.get(node), ...this.#hints })
    return root
  }
  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

/** The tree of a query that is compiled for SQLite: of a bounded one, with a count of the rows that it looks at. */
export const withRowCount = (node: RootOperationNode): RootOperationNode => {
  const hints = runHints.get(node)
  if (hints?.countedBy === undefined) return node
  const { where } = node as SelectQueryNode
  // Conditions are asked in the order in which they stand: this one first, or it would count what the others leave. To hand
  // a number over takes less time than a text.
  const count = sql`${sql.raw(COUNT_ROW)}(octet_length(${sql.ref(hints.countedBy)}))`.toOperationNode()
  const root: SelectQueryNode = {
    ...(node as SelectQueryNode),
    where: WhereNode.create(where ? AndNode.create(count, where.where) : count),
  }
  runHints.set(root, hints)
  return root
}

const readingThreadHint = new HintPlugin({ onReadingThread: true })

/** For each column by which rows are counted. */
const countHints = new BoundedCache<string, HintPlugin>(1000)

/**
 * Rows of a query that sums up. One that looks at more than MAX_ROWS_READ runs in another thread on SQLite.
 * @param looksAt rows, about; see `countUpTo`
 * @throws RateLimited when too many wait there
 */
export const readBySize = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  estimatedRows: number,
): Promise<Simplify<Row>[]> => (estimatedRows > MAX_ROWS_READ ? query.withPlugin(readingThreadHint) : query).execute()

const conditionsOf = (node: OperationNode): OperationNode[] => {
  if (ParensNode.is(node)) return conditionsOf(node.node)
  return AndNode.is(node) ? [...conditionsOf(node.left), ...conditionsOf(node.right)] : [node]
}

/**
 * Whether a query reads no row that it does not show: one index has all of its conditions, and its order. A page of it is
 * full after as many rows as it asks for.
 * @param plan of SQLite, line by line
 */
export const readsOnlyWhatItReturns = (node: RootOperationNode, plan: readonly string[]): boolean => {
  const [, found = ''] = /^SEARCH \S+ USING (?:COVERING )?INDEX \S+ \((.*)\)$/.exec(plan[0] ?? '') ?? []
  const { where } = node as SelectQueryNode
  return plan.length === 1 && where !== undefined && found.split(' AND ').length === conditionsOf(where.where).length
}

/** The tree of a query that is to count the rows that it looks at; see withReadingThreadFallback. @param column see readBounded */
export const countingRowsOf = (node: RootOperationNode, column: string): RootOperationNode => {
  const root = { ...node }
  runHints.set(root, { countedBy: column })
  return root
}

/** What has to be known of a query's tree once it is compiled: its kind, and in what manner it is to run. */
export const rootOf = (node: RootOperationNode): RootOperationNode => {
  const root = { kind: node.kind } as RootOperationNode
  const hints = runHints.get(node)
  if (hints) runHints.set(root, hints)
  return root
}

/** The same query, to be run in the other thread. */
const forReadingThread = <Row>(query: CompiledQuery<Row>): CompiledQuery<Row> => {
  const root = { ...query.query }
  runHints.set(root, { ...runHints.get(query.query), onReadingThread: true })
  return { ...query, query: root }
}

/**
 * Runs a query; one that counts rows and would look at more than MAX_ROWS_READ on SQLite is left, and run anew in another
 * thread. @throws RateLimited when too many wait there
 */
export const withReadingThreadFallback = async <Row>(
  query: CompiledQuery<Row>,
  run: (query: CompiledQuery<Row>) => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> => {
  try {
    return await run(query)
  } catch (error) {
    if (!(error instanceof RowBudgetExceeded)) throw error
    return run(forReadingThread(query))
  }
}

/**
 * Rows of a query that looks at few rows as a rule. One that would look at more than MAX_ROWS_READ on SQLite is left, and
 * run anew in another thread.
 * @param column of what the query goes through, as `table.column`; one that stands in the indexes
 * @throws RateLimited when too many wait there
 */
export const readBounded = async <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: string,
): Promise<Simplify<Row>[]> => {
  const bounded = query.withPlugin(countHints.get(column, () => new HintPlugin({ countedBy: column })))
  try {
    return await bounded.execute()
  } catch (error) {
    if (!(error instanceof RowBudgetExceeded)) throw error
    return bounded.withPlugin(readingThreadHint).execute()
  }
}

/** How many rows a query has, up to `most`. */
export const countUpTo = async <DB, TB extends keyof DB, Row>(
  db: ScopedDb,
  query: SelectQueryBuilder<DB, TB, Row>,
  most: number,
): Promise<number> => {
  const { count } = await db
    .selectFrom(query.limit(most).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
