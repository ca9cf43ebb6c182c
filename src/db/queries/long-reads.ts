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
import { BoundedCache } from '#kernel/basics/bounded-cache.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'

/**
 * On SQLite, a query blocks the event loop while it runs. A query that may read very many rows therefore runs on
 * another thread, with a connection of its own. Postgres is a separate process already, so this file changes nothing
 * there.
 */

/** Runs reads on another thread. Each read sees everything that was committed before it was requested. */
export interface ReadingThread {
  /** @throws the error of the database; RateLimited when too many reads wait; Error after the time limit */
  run(query: { sql: string; parameters: readonly unknown[] }): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** The row budget of a query on the main thread: about one to five milliseconds. */
export const MAX_ROWS_READ = 2000

/** A query has read as many rows as it may, and its page is not full yet. */
export class RowBudgetExceeded extends Error {
  constructor() {
    super('a query has looked at as many rows as it may')
    this.name = 'RowBudgetExceeded'
  }
}

/** The SQL function that a bounded query calls for each row that it reads. */
const COUNT_ROW = 'count_row'

/** Counts the rows that a bounded query reads, and aborts it when the budget is used up. */
export class RowBudget {
  #left = 0

  constructor(raw: Connection) {
    raw.function(COUNT_ROW, (_row: unknown) => {
      this.#left -= 1
      if (this.#left < 0) throw new RowBudgetExceeded()
      return 1
    })
  }

  /** Called before each statement. */
  renew(): void {
    this.#left = MAX_ROWS_READ
  }
}

/** Aborts a bounded query on the reading thread when its time is up. */
export class TimeBudget {
  #end = 0

  constructor(raw: Connection) {
    raw.function(COUNT_ROW, (_row: unknown) => {
      if (performance.now() > this.#end) throw new Error('a query took too long')
      return 1
    })
  }

  /** Called before each statement. */
  renew(millis: number): void {
    this.#end = performance.now() + millis
  }
}

/**
 * How to run a query on SQLite. The hints are attached to the root of its syntax tree, which the compiler and the
 * connection both get unchanged.
 */
interface RunHints {
  /** A column of a table that the query reads, as `table.column`: each read of it counts as a row. */
  countedBy?: string
  onReadingThread?: true
}

const runHints = new WeakMap<OperationNode, RunHints>()

/** Whether a query was sent to the reading thread, if there is one. */
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

/** The syntax tree that SQLite compiles. For a bounded query it has an additional condition that counts the rows. */
export const withRowCount = (node: RootOperationNode): RootOperationNode => {
  const hints = runHints.get(node)
  if (hints?.countedBy === undefined) return node
  const { where } = node as SelectQueryNode
  // SQLite evaluates conditions in order. This one comes first, so that it counts the rows that the others reject too.
  // It passes octet_length because a number is cheaper to pass than a text.
  const count = sql`${sql.raw(COUNT_ROW)}(octet_length(${sql.ref(hints.countedBy)}))`.toOperationNode()
  const root: SelectQueryNode = {
    ...(node as SelectQueryNode),
    where: WhereNode.create(where ? AndNode.create(count, where.where) : count),
  }
  runHints.set(root, hints)
  return root
}

const readingThreadHint = new HintPlugin({ onReadingThread: true })

/** One plugin per column by which rows are counted. */
const countHints = new BoundedCache<string, HintPlugin>(1000)

/**
 * Runs an aggregate query. On SQLite, it runs on the reading thread if it reads more than MAX_ROWS_READ rows.
 * @param estimatedRows about how many rows it reads; see `countUpTo`
 * @throws RateLimited when too many reads wait there
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
 * Whether a query reads only the rows that it returns: one index covers all its conditions and its order. A page then
 * needs to read no more rows than it has.
 * @param plan SQLite's query plan, line by line
 */
export const readsOnlyWhatItReturns = (node: RootOperationNode, plan: readonly string[]): boolean => {
  const [, found = ''] = /^SEARCH \S+ USING (?:COVERING )?INDEX \S+ \((.*)\)$/.exec(plan[0] ?? '') ?? []
  const { where } = node as SelectQueryNode
  return plan.length === 1 && where !== undefined && found.split(' AND ').length === conditionsOf(where.where).length
}

/**
 * The syntax tree of a query whose rows are to be counted; see withReadingThreadFallback. @param column see readBounded
 */
export const countingRowsOf = (node: RootOperationNode, column: string): RootOperationNode => {
  const root = { ...node }
  runHints.set(root, { countedBy: column })
  return root
}

/** What is still needed of a syntax tree once it is compiled: its kind and its hints. */
export const rootOf = (node: RootOperationNode): RootOperationNode => {
  const root = { kind: node.kind } as RootOperationNode
  const hints = runHints.get(node)
  if (hints) runHints.set(root, hints)
  return root
}

/** The same query, to run on the reading thread. */
export const forReadingThread = <Row>(query: CompiledQuery<Row>): CompiledQuery<Row> => {
  const root = { ...query.query }
  runHints.set(root, { ...runHints.get(query.query), onReadingThread: true })
  return { ...query, query: root }
}

/**
 * Runs a query. On SQLite, a counted query that reads more than MAX_ROWS_READ rows is aborted and runs again on the
 * reading thread. @throws RateLimited when too many reads wait there
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
 * Runs a query that usually reads few rows. On SQLite, if it reads more than MAX_ROWS_READ rows, it is aborted and runs
 * again on the reading thread.
 * @param column a column of a table that the query reads, as `table.column`; it should be in the indexes
 * @throws RateLimited when too many reads wait there
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

/** Counts the rows of a query, up to `most`. */
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
