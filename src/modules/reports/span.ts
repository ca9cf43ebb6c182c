import type { SelectQueryBuilder, Simplify } from 'kysely'
import { countUpTo, MAX_ROWS_READ, readBySize } from '#db/queries/long-reads.ts'
import { inTurns } from '#kernel/basics/turns.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Cursors } from '#kernel/contract/endpoint.ts'
import type { ScopedDb } from '#kernel/contract/tables.ts'
import type { TenantInfo } from '#kernel/who/actor.ts'
import { addDays, compareDates, localDate, startOfLocalDay } from '#kernel/time/zone.ts'

/** What every report is made in. */
export interface Asked {
  db: ScopedDb
  whole: ScopedDb
  tenant: TenantInfo
  now: string
  cursors: Cursors
}

/** The longest time that a report covers: two years with the days around them. */
export const MOST_DAYS = 800

/** Days, both inclusive, and the instants from the beginning of the first to the end of the last. */
export interface Span {
  from: string
  to: string
  start: string
  end: string
}

const monthOf = (date: string): string => date.slice(0, 7)

const nextMonth = (month: string): string => monthOf(addDays(`${month}-28`, 4))

/** The first day of the month that lies so many months before that of the date. */
const monthsBefore = (date: string, months: number): string => {
  let first = `${monthOf(date)}-01`
  for (let n = 0; n < months; n += 1) first = `${monthOf(addDays(first, -1))}-01`
  return first
}

const checked = ({ from, to }: { from: string; to: string }, zone: string): Span => {
  if (compareDates(to, from) < 0) throw invalid(['to'], 'Must not be before from.')
  if (compareDates(to, addDays(from, MOST_DAYS)) > 0) {
    throw invalid(['to'], `Must be at most ${MOST_DAYS} days after from.`)
  }
  return { from, to, start: startOfLocalDay(from, zone), end: startOfLocalDay(addDays(to, 1), zone) }
}

interface Days {
  from?: string | undefined
  to?: string | undefined
}

/** Without days, this month and so many before it, until today. @throws VALIDATION_ERROR */
export const spanOf = ({ from, to }: Days, { tenant, now }: Pick<Asked, 'tenant' | 'now'>, months: number): Span => {
  const last = to ?? localDate(now, tenant.timezone)
  return checked({ from: from ?? monthsBefore(last, months), to: last }, tenant.timezone)
}

/** The months of a span, each with its first day and the first instant after it. */
export const monthsOf = ({ from, to }: Span, zone: string): { month: string; next: string; end: string }[] => {
  const months = []
  for (let month = monthOf(from); month <= monthOf(to); month = nextMonth(month)) {
    const next = `${nextMonth(month)}-01`
    months.push({ month, next, end: startOfLocalDay(next, zone) })
  }
  return months
}

const LOOKED_AT = MAX_ROWS_READ + 1

/** Runs a query beside the requests of others, where more rows than few lie behind it. @param behind the rows that it reads */
export const readLong = async <DB, TB extends keyof DB, Row, DB2, TB2 extends keyof DB2>(
  { whole }: Pick<Asked, 'whole'>,
  query: SelectQueryBuilder<DB, TB, Row>,
  behind: SelectQueryBuilder<DB2, TB2, { id: string }>,
): Promise<Simplify<Row>[]> => readBySize(query, await countUpTo(whole, behind, LOOKED_AT))

/** By which a row stands in its report. */
export type Key = readonly (string | number)[]

const compareKeys = (one: Key, other: Key): number => {
  for (const [index, part] of one.entries()) {
    const beside = other[index] as typeof part
    if (part !== beside) return part < beside ? -1 : 1
  }
  return 0
}

/** So many rows more than a page has are kept until they are sorted. */
const UNSORTED = 1000

interface Keyed<Row> {
  row: Row
  key: Key
}

/**
 * A page of the rows of a report, in the order of their keys. There may be very many: others have their turn meanwhile, and
 * no more than a page of them is kept. @throws VALIDATION_ERROR for a cursor of another list
 */
export const pageOfRows = async <Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => Key,
  { cursors, query: { cursor, limit } }: { cursors: Cursors; query: { cursor?: string | undefined; limit: number } },
): Promise<{ data: Row[]; nextCursor: string | null }> => {
  const after = cursor === undefined ? undefined : cursors.decode(cursor)
  const first = (some: readonly Keyed<Row>[]) =>
    some.toSorted((one, other) => compareKeys(one.key, other.key)).slice(0, limit + 1)
  let kept: Keyed<Row>[] = []
  let bound: Key | undefined
  for await (const row of inTurns(rows)) {
    const key = keyOf(row)
    if (after !== undefined && compareKeys(key, after) <= 0) continue
    if (bound !== undefined && compareKeys(key, bound) > 0) continue
    kept.push({ row, key })
    if (kept.length <= limit + UNSORTED) continue
    kept = first(kept)
    bound = kept.at(-1)?.key
  }
  const sorted = first(kept)
  const shown = sorted.slice(0, limit)
  const last = sorted.length > limit ? shown.at(-1) : undefined
  return { data: shown.map(({ row }) => row), nextCursor: last ? cursors.encode([...last.key]) : null }
}

/** The names of records, by their ids. */
export const namesOf = async <Id extends string>(
  ids: Iterable<Id | null>,
  read: (ids: Id[]) => Promise<{ id: string; name: string }[]>,
): Promise<(id: string | null) => string | null> => {
  const known = [...new Set([...ids].filter((id): id is Id => id !== null))]
  const names = new Map<string, string>()
  for (let start = 0; start < known.length; start += NAMES_AT_ONCE) {
    for (const { id, name } of await read(known.slice(start, start + NAMES_AT_ONCE))) names.set(id, name)
  }
  return (id) => (id === null ? null : (names.get(id) ?? ''))
}

const NAMES_AT_ONCE = 500
