import {
  expressionBuilder,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SelectType,
  type SqlBool,
} from 'kysely'
import { compiledByKey, compiledByKeyInTenant, type RunKeyedQuery } from '#db/compiled.ts'
import { planSearch, searchConditions, type WordSearch } from '#db/search.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import type { Page } from '#kernel/schema.ts'
import type { OutsideDb, ScopedDb, Tables } from '#kernel/tables.ts'
import { toPage, type PageQuery, type SortValue } from './cursors.ts'
import { checkReached } from './records.ts'

/**
 * A list is declared: where its rows come from, what it can be narrowed by, its order, and how a row is shown. From that
 * come its queries, each compiled once: for the filters that are asked for, the first page or a later one, and each kind of
 * reach. What varies besides has a slot. A boolean has none: there are two queries; of several values of one filter each
 * has its own slot, and of the words of a search each, so that there is a query for each number of them.
 */

type Table = keyof Tables
/** A column of any table, as `table.column`. */
type Column = { [T in Table]: `${T}.${keyof Tables[T] & string}` }[Table]

export type Conditions = ExpressionBuilder<Tables, Table>
const conditions = expressionBuilder<Tables, Table>()

/**
 * The column that has the value, or the condition that it makes; undefined: none. The value is a slot, unless it is a boolean,
 * and a list of slots where it is a list: nothing may be decided by it.
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
type FilterValues<F> = { [K in keyof F]?: ValueOf<F[K]> | undefined }

/** Of a text of which `from` makes use. */
export const usedByFrom = (_eb: Conditions, _value: string): undefined => undefined

export interface Order<Row> {
  /** Order the list; the last of them is unique, and stands in the indexes that the list is read from. */
  columns: readonly [Column] | readonly [Column, Column]
  direction: 'asc' | 'desc'
  /** Their values in a row. */
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
  /** By the name that each has in the query. */
  filters?: F
  /** `q` of the query: words that are looked for in the search_text of a table. */
  search?: { table: Table; fold: (typed: string) => string }
  /**
   * Without order and limit. Of what is given (`q`: words are looked for) a query may depend on what is there and on what
   * is true or false: all else are slots, no values.
   */
  from: (db: H, given: FilterValues<NoInfer<F>> & { q?: true }) => SelectQueryBuilder<DB, TB, Row>
  order: Order<NoInfer<Row>>
  show: (row: Row, context: C) => Item
}

/** What a list is asked with: the context of its endpoint's handler has all of it. */
export interface ListRequest<H, F> {
  db: H
  cursors: Cursors
  query: PageQuery & FilterValues<F> & { q?: string | undefined }
}

/** More combinations of filters and reaches than most lists ever meet. */
const MAX_COMPILED_QUERIES = 100

type Values = Record<string, unknown>

/** What tells the query for these filters from that for others, and what is put into its slots. */
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

  /** The filters with the slots of their values. */
  slotted(slots: Values): [name: string, value: unknown][] {
    return this.#given.map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value]
      return [name, Array.isArray(value) ? value.map((_, index) => slots[`${name} ${index}`]) : slots[name]]
    })
  }
}

const PAGE_FIELDS = new Set(['cursor', 'limit'])

const declareList = <H extends ScopedDb, F extends Filters, DB, TB extends keyof DB, Row, Item, C>(
  list: ListDeclaration<H, F, DB, TB, Row, Item, C>,
  rowsOf: RunKeyedQuery<H, Row>,
) => {
  const { order, search } = list
  const filters: Filters = list.filters ?? {}

  const combine = (query: Values): FilterCombination => {
    const combination = new FilterCombination()
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined || PAGE_FIELDS.has(name) || (search && name === 'q')) continue
      if (!Object.hasOwn(filters, name)) throw new Error(`a list was asked for ${name}, which is none of its filters`)
      combination.add(name, Array.isArray(value) ? [...new Set(value)] : value)
    }
    return combination
  }

  const pageOn = (
    db: H,
    combination: FilterCombination,
    slots: Values,
    words: WordSearch | undefined,
    isLater: boolean,
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
    return page.limit(slots['limit'] as number)
  }

  return async (context: ListRequest<H, F> & C): Promise<Page<Item>> => {
    const { db, cursors, query } = context
    const combination = combine(query)
    const { values } = combination
    let { key } = combination
    const words = search && query.q !== undefined ? await planSearch(db, search.table, search.fold(query.q)) : undefined
    if (words) {
      key += ` q ${words.form}*${words.parts.length}`
      for (const [index, part] of words.parts.entries()) values[`q ${index}`] = part
    }
    const isLater = query.cursor !== undefined
    if (query.cursor !== undefined) {
      for (const [index, value] of cursors.decode(query.cursor).entries()) values[`after ${index}`] = value
    }
    values['limit'] = query.limit + 1
    const page = {
      key: isLater ? `later${key}` : key,
      build: (handle: H, slots: Values) => pageOn(handle, combination, slots, words, isLater),
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

/** Later in the order than the row whose position the slots hold. */
const afterPosition = <Row>({ columns, direction }: Order<Row>, slots: Values): Expression<SqlBool> => {
  const operator = direction === 'asc' ? '>' : '<'
  // A comparison of rows, which both engines answer from an index over the same columns.
  const [first, second] = columns
  if (second === undefined) return conditions(first, operator, slots['after 0'] as never)
  const after = conditions.tuple(slots['after 0'] as never, slots['after 1'] as never)
  return conditions(conditions.refTuple(first as never, second as never), operator, after as never)
}

/**
 * A list inside one institute, narrowed to what the caller reaches. A page for which very many rows have to be looked at
 * (two filters of which each leaves many and both together none, say) holds nobody else up.
 * @returns the list: @throws VALIDATION_ERROR for a cursor that is none of its own, RateLimited when too many pages of that
 *   kind are asked for at once
 */
export const listOf = <F extends Filters, DB, TB extends keyof DB, Row, Item, C = unknown>(
  list: ListDeclaration<ScopedDb, F, DB, TB, Row, Item, C>,
) => declareList(list, compiledByKeyInTenant<Row>(MAX_COMPILED_QUERIES))

/** A list outside any institute. */
export const systemListOf = <F extends Filters, DB, TB extends keyof DB, Row, Item, C = unknown>(
  list: ListDeclaration<OutsideDb, F, DB, TB, Row, Item, C>,
) => declareList(list, compiledByKey<Row>(MAX_COMPILED_QUERIES))

interface Parent {
  /** Of the record whose id is in the path. */
  table: Parameters<typeof checkReached>[1]
  /** Where the list has that id. */
  column: Column
  /** Whoever reaches the record reaches all that is in its list. Default: as far as they reach that, too. */
  whole?: true
}

/**
 * The list that belongs to one record, by the id in its path.
 * @returns the list: @throws NotFound for the record, and what every list throws
 */
export const listUnder = <F extends Filters, DB, TB extends keyof DB, Row, Item, C = unknown>(
  { table, column, whole }: Parent,
  list: ListDeclaration<ScopedDb, F, DB, TB, Row, Item, C>,
) => {
  const filters = { ...list.filters, id: column } as F & { id: Column }
  const listed = listOf<F, DB, TB, Row, Item, C>({ ...list, filters })
  return async (
    context: ListRequest<ScopedDb, F> & C & { whole: ScopedDb; params: { id: string } },
  ): Promise<Page<Item>> => {
    const { db, query, params } = context
    await checkReached(db, table, params.id)
    return listed({ ...context, db: whole ? context.whole : db, query: { ...query, id: params.id } })
  }
}
