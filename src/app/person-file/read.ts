import { found } from '#kernel/values/errors.ts'
import type { ScopedDb, TableRules } from '#kernel/contract/tables.ts'
import { withoutSecrets } from '#runtime/change/redact.ts'
import { exportedColumns, exportedTables } from '#app/export/plan.ts'
import { KEPT, type KeptTable, type PersonKind } from './kept.ts'

/** Reads everything that the institute keeps of one person, as `kept.ts` lists it. */

export type Row = Readonly<Record<string, unknown>>

/** The rows of one table. */
export interface KeptRows {
  table: KeptTable
  rows: readonly Row[]
}

/** Queries are typed for this table, and run on any of the list. */
type AnyTable = 'enrollment'

/** As many ids as every database takes in one query. */
const IDS_AT_ONCE = 500
/** A copy of other columns, for the order of lists. */
const REDUNDANT = new Set(['sort_name'])

const rowsWhere = async (whole: ScopedDb, table: string, column: string, ids: readonly string[]): Promise<Row[]> => {
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const part = ids.slice(from, from + IDS_AT_ONCE)
    const query = whole.selectFrom(table as AnyTable).selectAll()
    rows.push(...((await query.where(column as 'student_id', 'in', part).execute()) as Row[]))
  }
  return rows
}

/** Which of its columns the file has. */
type Shown = (table: KeptTable, row: Row) => Row

const shownBy = (rules: TableRules): Shown => {
  const tables = new Map(exportedTables(rules).map((table) => [table.name, table]))
  return ({ table, without = [] }, row) => {
    const exported = tables.get(table)
    if (!exported) throw new Error(`${table} is not in exports, and so in no person’s file.`)
    const columns = exportedColumns(exported, Object.keys(row)).filter(
      (column) => !without.includes(column) && !REDUNDANT.has(column),
    )
    return withoutSecrets(Object.fromEntries(columns.map((column) => [column, row[column]]))) as Row
  }
}

interface Named {
  /** The column that has the name, in the file alone. */
  as: string
  table: string
  name(row: Row): unknown
}

const fullName = ({ first_name: first, last_name: last }: Row): string => `${String(first)} ${String(last)}`.trim()

/** By the column that has the id: what people call the record. */
const NAMES: Readonly<Record<string, Named>> = {
  group_id: { as: 'group_name', table: 'group', name: ({ name }) => name },
  course_id: { as: 'course_name', table: 'course', name: ({ name }) => name },
  exam_id: { as: 'exam_title', table: 'exam', name: ({ title }) => title },
  session_id: { as: 'session_start', table: 'session', name: ({ scheduled_start: start }) => start },
  invoice_id: { as: 'invoice_number', table: 'invoice', name: ({ number }) => number },
}

/** Whom a guardian and a student have to do with: by name, and nothing else of them. */
const NAMES_OF_FAMILY: Readonly<Record<PersonKind, Readonly<Record<string, Named>>>> = {
  student: { guardian_id: { as: 'guardian_name', table: 'guardian', name: fullName } },
  guardian: { student_id: { as: 'student_name', table: 'student', name: fullName } },
}

const withNames = async (whole: ScopedDb, names: Readonly<Record<string, Named>>, rows: Row[]): Promise<Row[]> => {
  let named = rows
  for (const [column, { as, table, name }] of Object.entries(names)) {
    const ids = [...new Set(rows.map((row) => row[column]).filter((id) => typeof id === 'string'))]
    if (ids.length === 0) continue
    const nameOf = new Map((await rowsWhere(whole, table, 'id', ids)).map((row) => [row['id'], name(row)]))
    named = named.map((row) => ({ ...row, [as]: nameOf.get(row[column]) ?? null }))
  }
  return named
}

const AGES = ['session_start', 'created_at', 'at', 'marked_at'] as const

/** When what a row tells of was; '' where it does not say. */
const ageOf = (row: Row): string => AGES.map((name) => row[name]).find((at) => typeof at === 'string') ?? ''

const byAge = (rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => (ageOf(one) < ageOf(other) ? -1 : ageOf(one) === ageOf(other) ? 0 : 1))

/** One way of `kept.ts` with the rows to which it leads. */
export interface Way {
  table: KeptTable
  rows: Row[]
}

/** Finds all rows of a person, in the order of `kept.ts`. @throws NotFound */
export const walkPerson = async (
  whole: ScopedDb,
  { kind, id }: { kind: PersonKind; id: string },
): Promise<{ person: Row; ways: Way[] }> => {
  const person = found((await rowsWhere(whole, kind, 'id', [id]))[0])
  const account = person['user_id']
  /** The ids of the rows that were read, by table. */
  const read = new Map<string, string[]>([['account', typeof account === 'string' ? [account] : []]])
  const ways: Way[] = []
  for (const table of KEPT[kind]) {
    const ids = table.of === undefined ? [id] : (read.get(table.of) ?? [])
    const all = await rowsWhere(whole, table.table, table.column, ids)
    const [only, value] = table.where ?? []
    const rows = only === undefined ? all : all.filter((row) => row[only] === value)
    read.set(table.table, [...(read.get(table.table) ?? []), ...rows.map((row) => row['id'] as string)])
    ways.push({ table, rows })
  }
  return { person, ways }
}

/** A person, and all that is kept of them. */
export interface PersonData {
  name: string
  /** In the order of `kept.ts`; a table stands in it once for each way that leads to it. */
  kept: readonly KeptRows[]
  /** The records of the files, with where their bytes are. */
  files: readonly Row[]
}

/** @throws NotFound */
export const readPersonData = async (
  whole: ScopedDb,
  { kind, id, rules }: { kind: PersonKind; id: string; rules: TableRules },
): Promise<PersonData> => {
  const shown = shownBy(rules)
  const { person, ways } = await walkPerson(whole, { kind, id })
  const names = { ...NAMES, ...NAMES_OF_FAMILY[kind] }
  const kept: KeptRows[] = []
  for (const { table, rows } of ways) {
    const told = rows.map((row) => shown(table, row))
    kept.push({ table, rows: byAge(await withNames(whole, names, told)) })
  }
  const files = ways.flatMap(({ table, rows }) => (table.table === 'file' ? rows : []))
  return { name: fullName(person), kept, files }
}
