import * as v from 'valibot'
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import { invalid } from '#kernel/errors.ts'
import type { Cursors } from '#kernel/endpoint.ts'
import type { Page } from '#kernel/schema.ts'
import type { ScopedDb } from '#kernel/tables.ts'
import { readBounded } from '#db/aside.ts'
import { compiledInTenant } from '#db/compiled.ts'
import { scopeOf } from '#db/scope.ts'
import type { Vault } from './vault.ts'

type SortValue = string | number

const Position = v.array(v.union([v.string(), v.number()]))

/** Makes and reads the cursors of one list. A cursor of another list, or one that was changed, is refused with 422. */
export class ListCursors implements Cursors {
  readonly #vault: Vault
  readonly #list: readonly string[]

  /** @param list what tells this list from every other: endpoint, tenant, path. */
  constructor(vault: Vault, list: readonly string[]) {
    this.#vault = vault
    this.#list = list
  }

  encode(position: SortValue[]): string {
    const text = JSON.stringify(position)
    return `${Buffer.from(text).toString('base64url')}.${this.#vault.tag('cursor', this.#tagged(text))}`
  }

  decode(cursor: string): SortValue[] {
    const [encoded = '', tag = ''] = cursor.split('.')
    const text = Buffer.from(encoded, 'base64url').toString()
    if (!this.#vault.hasTag('cursor', this.#tagged(text), tag)) {
      throw invalid(['cursor'], 'Must be the nextCursor of an earlier page of this list.')
    }
    return v.parse(Position, JSON.parse(text))
  }

  #tagged(text: string): string {
    return `${this.#list.join(' ')}\n${text}`
  }
}

export interface PageRequest {
  cursor?: string | undefined
  limit: number
  cursors: Cursors
}

export interface Order<Row> {
  /** Order the list; the last of them is unique. */
  columns: readonly string[]
  direction: 'asc' | 'desc'
  /** Their values in a row. */
  position(row: Row): SortValue[]
}

const ordered = <DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Omit<Order<Row>, 'position'>,
  { after, limit }: { after: readonly SortValue[] | undefined; limit: number },
): SelectQueryBuilder<DB, TB, Row> => {
  let page = query.limit(limit)
  if (after) page = page.where((eb: ExpressionBuilder<DB, TB>) => beyond(eb, order, after))
  for (const column of order.columns) page = page.orderBy(column as never, order.direction)
  return page
}

const pageOf = <Row, Item>(
  rows: readonly Row[],
  { limit, cursors }: PageRequest,
  order: Order<Row>,
  show: (row: Row) => Item,
): Page<Item> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(show),
    nextCursor: rows.length > limit && last !== undefined ? cursors.encode(order.position(last)) : null,
  }
}

/**
 * One page by keyset. The query must not order or limit by itself. A page for which very many rows have to be looked at
 * (two filters of which each leaves many and both together none, say) holds nobody else up.
 * @throws RateLimited when too many such pages are asked for at once
 */
export const pageBy = async <DB, TB extends keyof DB, Row, Item>(
  query: SelectQueryBuilder<DB, TB, Row>,
  request: PageRequest,
  order: Order<NoInfer<Row>>,
  show: (row: Row) => Item,
): Promise<Page<Item>> => {
  const { cursor, limit, cursors } = request
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const page = ordered(query, order, { after, limit: limit + 1 })
  return pageOf(await readBounded(page, order.columns.at(-1) as string), request, order, show)
}

/** The same for a list that is asked for all the time and takes no value but where the page begins. */
export const compiledPages = <DB, TB extends keyof DB, Row, Item>(
  query: (db: ScopedDb) => SelectQueryBuilder<DB, TB, Row>,
  order: Order<NoInfer<Row>>,
  show: (row: Row) => Item,
): ((db: ScopedDb, request: PageRequest) => Promise<Page<Item>>) => {
  const first = compiledInTenant((db, { limit }: { limit: number }) =>
    ordered(query(db), order, { after: undefined, limit }),
  )
  const later = compiledInTenant((db, { limit, after, id }: { limit: number; after: SortValue; id: SortValue }) =>
    ordered(query(db), order, { after: [after, id], limit }),
  )
  return async (db, request) => {
    if (scopeOf(db).scope.reach !== 'all') return pageBy(query(db), request, order, show)
    const limit = request.limit + 1
    if (request.cursor === undefined) return pageOf(await first(db, { limit }), request, order, show)
    const [after, id] = request.cursors.decode(request.cursor) as [SortValue, SortValue]
    return pageOf(await later(db, { limit, after, id }), request, order, show)
  }
}

const beyond = <DB, TB extends keyof DB>(
  eb: ExpressionBuilder<DB, TB>,
  { columns, direction }: { columns: readonly string[]; direction: 'asc' | 'desc' },
  after: readonly SortValue[],
): Expression<SqlBool> => {
  const operator = direction === 'asc' ? '>' : '<'
  // A comparison of rows, which both engines answer from an index over the same columns.
  const [first, second] = columns as [string, string?]
  if (second === undefined) return eb(first as never, operator, after[0] as never)
  const left = eb.refTuple(first as never, second as never) as never
  return eb(left, operator, eb.tuple(after[0] as never, after[1] as never) as never)
}

/** The order of most lists: newest first. */
export const newestFirst = (table: string) => ({
  columns: [`${table}.created_at`, `${table}.id`],
  direction: 'desc' as const,
  position: (row: { created_at: string; id: string }) => [row.created_at, row.id],
})
