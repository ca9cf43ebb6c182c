import * as v from 'valibot'
import { invalid } from '#kernel/values/errors.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { Page } from '#kernel/values/schema.ts'
import type { Vault } from '#runtime/secrets/vault.ts'

export type SortValue = string | number

const foreignCursor = () => invalid(['cursor'], 'Must be the nextCursor of an earlier page of this list.')

const Position = v.array(v.union([v.string(), v.number()]))

/**
 * Encodes and decodes the cursors of one list, for keyset pagination. A cursor of another list, or one that was
 * changed, is refused with 422.
 */
export class ListCursors implements Cursors {
  readonly #vault: Vault
  readonly #list: readonly string[]
  #decoded: { cursor: string; position: SortValue[] } | undefined

  /** @param list distinguishes this list from all others: endpoint, tenant, path parameters */
  constructor(vault: Vault, list: readonly string[]) {
    this.#vault = vault
    this.#list = list
  }

  /** Returns an opaque cursor for a position. */
  encode(position: SortValue[]): string {
    const text = JSON.stringify(position)
    return `${Buffer.from(text).toString('base64url')}.${this.#vault.tag('cursor', this.#tagged(text))}`
  }

  /** Returns the position of a cursor. @throws VALIDATION_ERROR for a cursor that does not come from this list */
  decode(cursor: string): SortValue[] {
    // The pipeline decodes it before the list does.
    if (this.#decoded?.cursor === cursor) return this.#decoded.position
    const position = this.#read(cursor)
    this.#decoded = { cursor, position }
    return position
  }

  #read(cursor: string): SortValue[] {
    const [encoded = '', tag = ''] = cursor.split('.')
    const text = Buffer.from(encoded, 'base64url').toString()
    if (!this.#vault.hasTag('cursor', this.#tagged(text), tag)) {
      throw foreignCursor()
    }
    return v.parse(Position, JSON.parse(text))
  }

  #tagged(text: string): string {
    return `${this.#list.join(' ')}\n${text}`
  }
}

/** The cursors of one of the orders of a list. Those of another one are refused. */
export const cursorsOfOrder = (cursors: Cursors, order: string): Cursors => ({
  encode: (position) => cursors.encode([order, ...position]),
  decode: (cursor) => {
    const [of, ...position] = cursors.decode(cursor)
    if (of !== order) throw foreignCursor()
    return position
  },
})

/** The query parameters that every list takes. */
export interface PageQuery {
  cursor?: string | undefined
  limit: number
}

/**
 * Makes a page from the rows that were found. Queries ask for one row more than the limit: it tells whether there is a
 * next page.
 */
export const toPage = <Found, Item>(
  found: readonly Found[],
  { limit, cursors }: { limit: number; cursors: Cursors },
  { position, show }: { position: (found: Found) => SortValue[]; show: (found: Found) => Item },
): Page<Item> => {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(show),
    nextCursor: found.length > limit && last !== undefined ? cursors.encode(position(last)) : null,
  }
}

/**
 * Makes a page of a list that is in memory in its order.
 * @param keyOf the unique key of an item
 * @throws VALIDATION_ERROR when the list no longer contains the item that the cursor names
 */
export const pageFrom = <Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  { query: { cursor, limit }, cursors }: { query: PageQuery; cursors: Cursors },
): Page<Item> => {
  let rest = all
  if (cursor !== undefined) {
    const [key] = cursors.decode(cursor)
    const last = all.findIndex((item) => keyOf(item) === key)
    if (last === -1) throw foreignCursor()
    rest = all.slice(last + 1)
  }
  return toPage(rest, { limit, cursors }, { position: (item) => [keyOf(item)], show: (item) => item })
}
