import {
  expressionBuilder,
  type ComparisonOperatorExpression,
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type SelectQueryBuilder,
  type SelectType,
  type SqlBool,
} from 'kysely'
import { compiledByKey, compiledByKeyInTenant, type RunKeyedQuery } from '#db/queries/compiled.ts'
import { planSearch, searchConditions, type WordSearch } from '#db/queries/search.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { OutsideDb, Queries, ScopedDb, SystemDb, Tables } from '#kernel/contract/tables.ts'
import { toPage, type PageQuery, type SortValue } from './cursors.ts'
import { checkReached } from './records.ts'

/**
 * A module declares a list: the source of its rows, its filters, its order and how it shows a row. Its SQL queries
 * follow from the declaration. Each is compiled once per combination of filters, for the first page and for later
 * pages, and per kind of reach. Values that vary are bound through slots. Booleans have no slot: each value has its own
 * query. A filter with several values, and a search with several words, has one slot for each, so there is one query
 * per number of values.
 */

type Table = keyof Tables
/** A column of any table, as `table.column`. */
type Column = { [T in Table]: `${T}.${keyof Tables[T] & string}` }[Table]

/** The type of a column's values. */
type Selected<C extends Column> = C extends `${infer T extends Table}.${infer N}`
  ? N extends keyof Tables[T]
    ? SelectType<Tables[T][N]>
    : never
  : never

export type Condition = ExpressionWrapper<Tables, Table, SqlBool>

/**
 * Makes the conditions of filters: Kysely's builder for the columns of all tables, with types that are looked up by the
 * column's name. Its own types compare each name with every column of every table, which took the compiler minutes.
 */
export interface Conditions extends Pick<
  ExpressionBuilder<Tables, never>,
  'and' | 'or' | 'not' | 'exists' | 'selectFrom'
> {
  <C extends Column>(
    column: C,
    operator: ComparisonOperatorExpression,
    value: Selected<C> | readonly Selected<C>[] | Expression<Selected<C>> | Expression<Record<string, Selected<C>>>,
  ): Condition
  <T>(value: Expression<T>, operator: ComparisonOperatorExpression, other: T): Condition
  between<C extends Column>(column: C, from: Selected<C>, to: Selected<C>): Condition
}

const builder: object = expressionBuilder<Tables>()
const conditions = builder as Conditions
const { fn, lit, tuple, refTuple } = builder as ExpressionBuilder<Record<string, Record<string, unknown>>, string>

/** The column's value, for a condition that the database is not to answer from an index over the column. */
export const withoutIndex = <C extends Column>(column: C): Expression<Selected<C>> =>
  fn.coalesce(column as never, lit(null))

/**
 * The column that must equal the value, or a function that makes a condition; undefined: no condition. The function
 * gets a slot, not the value (except for booleans), or a list of slots: it cannot decide anything by the value.
 */
export type Filter = Column | ((eb: Conditions, value: never) => Expression<SqlBool> | undefined)

type ValueOf<F> = F extends `${infer T extends Table}.${infer C}`
  ? C extends keyof Tables[T]
    ? NonNullable<SelectType<Tables[T][C]>>
    : never
  : F extends (eb: never, value: infer V) => unknown
    ? V
    : never

type Filters = Record<string, Filter>
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a list without filters has none
type NoFilters = Record<never, Filter>
type FilterValues<F> = { [K in keyof F]?: ValueOf<F[K]> | undefined }

/** A filter that adds no condition, because `from` uses its value. */
export const usedByFrom = (_eb: Conditions, _value: string): undefined => undefined

export interface Order<Row> {
  /**
   * One or two columns that order the list. The last one is unique, and all are in the index that the list is read
   * from.
   */
  columns: readonly [Column] | readonly [Column, Column]
  direction: 'asc' | 'desc'
  /** The values of these columns in a row, for the cursor. */
  position(row: Row): SortValue[]
}

type DatedTable = { [T in Table]: 'id' | 'created_at' extends keyof Tables[T] ? T : never }[Table]

/** The order of most lists: newest first. */
export const newestFirst = (table: DatedTable) => ({
  columns: [`${table}.created_at`, `${table}.id`] as const,
  direction: 'desc' as const,
  position: (row: { created_at: string; id: string }): SortValue[] => [row.created_at, row.id],
})

interface ListDeclaration<H, F, DB, TB extends keyof DB, Row, Item, C> {
  /** The filters, by the name of the query parameter. */
  filters?: F & Filters
  /** `q` in the query: a full-text search over the search_text of a table. */
  search?: { table: Table; fold: (typed: string) => string }
  /**
   * The query without order and limit. It may depend on which filters are given and on the values of booleans; all
   * other values are slots. `q: true`: the list is searched.
   */
  from: (db: H, given: FilterValues<NoInfer<F>> & { q?: true }) => SelectQueryBuilder<DB, TB, Row>
  order: Order<NoInfer<Row>>
  show: (row: Row, context: C) => Item
}

type ListQuery<F> = PageQuery & FilterValues<F> & { q?: string | undefined }

/**
 * A query with exactly the filters of the list. A parameter that the list has no filter for, and a filter that the query
 * has no parameter for, are type errors that say so.
 */
type SameFilters<F, Query> = Query & {
  [Name in Exclude<keyof Query, keyof F | keyof ListQuery<object>>]: 'the list has no filter of this name'
} & { [Name in Exclude<keyof F, keyof Query>]: 'the query has no parameter of this name' }

/** What a list needs to run besides its query. The context of an endpoint's handler contains all of it. */
export interface ListContext<H> {
  db: H
  cursors: Cursors
}

interface ListRequest<H, F, Query> extends ListContext<H> {
  query: SameFilters<F, Query>
}

/** The cache holds more combinations of filters and kinds of reach than most lists are ever asked for. */
const MAX_COMPILED_QUERIES = 100

type Values = Record<string, unknown>

/** One combination of filters: the cache key of its query, and the values for the slots of that query. */
class FilterCombination {
  key = ''
  readonly values: Values = {}
  readonly #given: [name: string, value: unknown][] = []

  add(name: string, value: unknown): void {
    if (typeof value === 'boolean') this.key += ` ${name}=${value}`
    else if (!Array.isArray(value)) this.key += ` ${name}`
    else this.key += ` ${name}*${value.length}`
    if (Array.isArray(value)) for (const [index, one] of value.entries()) this.values[`${name} ${index}`] = one
    else this.values[name] = value
    this.#given.push([name, value])
  }

  /** The filters, with slots in place of their values. */
  slotted(slots: Values): [name: string, value: unknown][] {
    return this.#given.map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value]
      return [name, Array.isArray(value) ? value.map((_, index) => slots[`${name} ${index}`]) : slots[name]]
    })
  }
}

const PAGE_FIELDS = new Set(['cursor', 'limit'])

/**
 * Pages of these sizes have queries of their own, in which the limit is a constant: Postgres makes one plan for all
 * values only where it knows how few rows are wanted.
 */
const USUAL_LIMITS: readonly number[] = [25, 50, 100]

const declareList = <H extends Queries, F extends Filters, DB, TB extends keyof DB, Row, Item, C>(
  list: ListDeclaration<H, F, DB, TB, Row, Item, C>,
  rowsOf: RunKeyedQuery<H, Row>,
  plan?: (db: H, table: Table, typed: string) => Promise<WordSearch | undefined>,
) => {
  const { order, search } = list
  const filters: Filters = list.filters ?? {}

  const combine = (query: Values): FilterCombination => {
    const combination = new FilterCombination()
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined || PAGE_FIELDS.has(name) || (search && name === 'q')) continue
      if (!Object.hasOwn(filters, name)) throw new Error(`a list has no filter ${name}`)
      combination.add(name, Array.isArray(value) ? [...new Set(value)] : value)
    }
    return combination
  }

  const pageOn = (
    db: H,
    combination: FilterCombination,
    slots: Values,
    words: WordSearch | undefined,
    { isLater, most }: { isLater: boolean; most: number },
  ) => {
    const given = combination.slotted(slots)
    let page = list.from(db, { ...(Object.fromEntries(given) as FilterValues<F>), ...(words && { q: true }) })
    const narrow = (condition: Expression<SqlBool> | undefined): void => {
      if (condition) page = page.where(condition)
    }
    for (const [name, value] of given) {
      const filter = filters[name] as Filter
      narrow(typeof filter === 'string' ? conditions(filter, '=', value as never) : filter(conditions, value as never))
    }
    if (search && words) {
      const parts = slots as Record<string, string>
      const slotted = { ...words, parts: words.parts.map((_, index) => parts[`q ${index}`] as string) }
      for (const condition of searchConditions(search.table, slotted)) narrow(condition)
    }
    if (isLater) narrow(afterPosition(order, slots))
    for (const column of order.columns) page = page.orderBy(column as never, order.direction)
    return page.limit(most)
  }

  return async <Query extends ListQuery<F>>(context: ListRequest<H, F, Query> & C): Promise<Page<Item>> => {
    const { db, cursors, query } = context
    const combination = combine(query)
    const { values } = combination
    let { key } = combination
    const words = search && query.q !== undefined ? await plan?.(db, search.table, search.fold(query.q)) : undefined
    if (words) {
      key += ` q ${words.form}*${words.parts.length}`
      for (const [index, part] of words.parts.entries()) values[`q ${index}`] = part
    }
    const isLater = query.cursor !== undefined
    if (query.cursor !== undefined) {
      for (const [index, value] of cursors.decode(query.cursor).entries()) values[`after ${index}`] = value
    }
    const isUsual = USUAL_LIMITS.includes(query.limit)
    values['limit'] = query.limit + 1
    const page = {
      key: `${isLater ? 'later' : ''}${isUsual ? query.limit : ''}${key}`,
      build: (handle: H, slots: Values) => {
        const most = (isUsual ? values : slots)['limit'] as number
        return pageOn(handle, combination, slots, words, { isLater, most })
      },
      countedBy: order.columns.at(-1) as string,
    }
    const rows = await rowsOf(db, page, values)
    return toPage(
      rows,
      { limit: query.limit, cursors },
      { position: (row) => order.position(row), show: (row) => list.show(row, context) },
    )
  }
}

/** The condition for the rows after the position in the slots (keyset pagination). */
const afterPosition = <Row>({ columns, direction }: Order<Row>, slots: Values): Expression<SqlBool> => {
  const operator = direction === 'asc' ? '>' : '<'
  // A row comparison: both databases answer it from an index over the same columns.
  const [first, second] = columns
  if (second === undefined) return conditions(first, operator, slots['after 0'] as never)
  const after = tuple(slots['after 0'], slots['after 1'])
  return conditions(refTuple(first as never, second as never), operator, after as never)
}

/**
 * Declares a list inside one institute, limited to what the caller may reach. A page that has to read very many rows
 * (because of two filters, say, that match many rows each but few together) does not block other requests.
 * @returns the function that answers the list. It throws VALIDATION_ERROR for a cursor of another list, and RateLimited
 *   when too many such pages are requested at once.
 */
export const listOf = <DB, TB extends keyof DB, Row, Item, C = unknown, F extends Filters = NoFilters>(
  list: ListDeclaration<ScopedDb, F, DB, TB, Row, Item, C>,
) => declareList(list, compiledByKeyInTenant<Row>(MAX_COMPILED_QUERIES), planSearch)

/** Declares a list outside any institute. */
export const systemListOf = <DB, TB extends keyof DB, Row, Item, C = unknown, F extends Filters = NoFilters>(
  list: ListDeclaration<OutsideDb, F, DB, TB, Row, Item, C>,
) => declareList(list, compiledByKeyInTenant<Row>(MAX_COMPILED_QUERIES), planSearch)

/** Declares a list over the rows of all institutes. No such list has a search. */
export const everywhereListOf = <DB, TB extends keyof DB, Row, Item, C = unknown, F extends Filters = NoFilters>(
  list: Omit<ListDeclaration<SystemDb, F, DB, TB, Row, Item, C>, 'search'>,
) => declareList(list, compiledByKey<Row>(MAX_COMPILED_QUERIES))

interface Parent {
  /** The table of the record whose id is in the path. */
  table: Parameters<typeof checkReached>[1]
  /** The column of the list that refers to that record. */
  column: Column
  /** Set: whoever reaches the record reaches its whole list. Default: only the rows that they also reach themselves. */
  whole?: true
}

/**
 * Declares a list that belongs to one record, whose id is in the path.
 * @returns the function that answers the list. It throws NotFound for the record, and what `listOf` throws.
 */
export const listUnder = <DB, TB extends keyof DB, Row, Item, C = unknown, F extends Filters = NoFilters>(
  { table, column, whole }: Parent,
  list: ListDeclaration<ScopedDb, F, DB, TB, Row, Item, C>,
) => {
  const filters = { ...list.filters, id: column } as F & { id: Column }
  const listed = listOf<DB, TB, Row, Item, C, F>({ ...list, filters })
  return async <Query extends ListQuery<F>>(
    context: ListRequest<ScopedDb, F, Query> & C & { whole: ScopedDb; params: { id: string } },
  ): Promise<Page<Item>> => {
    const { db, query, params } = context
    await checkReached(db, table, params.id)
    return listed({ ...context, db: whole ? context.whole : db, query: { ...query, id: params.id } })
  }
}
