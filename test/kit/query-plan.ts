import { CompiledQuery } from 'kysely'
import type { TestApp } from './app.ts'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/**
 * Describes the parts of a statement's plan whose cost grows with the table instead of the result.
 * @param filtered the request filters a list, or continues after a page
 */
export const costsByTable = (test: TestApp, statement: Statement, filtered: boolean): Promise<string[]> | string[] =>
  test.app.database.engine === 'sqlite' ? inSqlite(test, statement, filtered) : inPostgres(test, statement)

/** It counts any rows of an institute, up to its limit, so that it never reads more. */
const IS_COUNT_UP_TO =
  /^select count\(\*\) as "count" from \(select "(\w+)"\."id" from "\1" where "\1"\."tenant_id" = \? limit \?\) as "some"$/

/** Indexes that hold few rows, whatever their table holds: of attendance, who walked in and waits to be enrolled. */
const OF_FEW = /USING (?:COVERING )?INDEX attendance_tenant_id_session_id_student_id_idx /

/**
 * SQLite plans with stored statistics, whatever the tables hold. A search by the institute alone scans the institute,
 * unless an unfiltered page is read from an index in its order. A large branch that is found through other records is
 * checked row by row, in the order of the list.
 */
const inSqlite = ({ app }: TestApp, { sql, parameters }: Statement, filtered: boolean): string[] => {
  if (IS_COUNT_UP_TO.test(sql)) return []
  const { sqlite } = app.database
  // The function that counts a list's rows exists only on the connection for lists.
  sqlite?.function('count_row', (_row: unknown) => 1)
  const steps = sqlite?.prepare(`explain query plan ${sql}`).all(parameters.map(() => null)) as {
    detail: string
  }[]
  const details = steps.map(({ detail }) => detail)
  const sorts = details.some((detail) => detail.startsWith('USE TEMP B-TREE FOR ORDER BY'))
  const inner = details.flatMap((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? [])
  const byRow =
    /exists \(select "(?:_reach\d|group|fee_charge|invoice|receipt_payment)".*"branch_id" (?:in \(|= \w*\(?\?)/.test(
      sql,
    )
  const reached = /"_reach\d"|"(?:branch_id|group_id|group"\."id)" (?:in \(|= \w*\(?\?)/.test(sql)
  const narrowed = !byRow && (filtered || reached)
  return details.filter((detail) => {
    const [, scanned] = /^SCAN (?!CONSTANT|\(|\S+ VIRTUAL TABLE INDEX \d+:M)(\S+)/.exec(detail) ?? []
    if (scanned !== undefined) return !inner.includes(scanned)
    // A skip scan: it looks into each institute.
    if (detail.includes('ANY(tenant_id)')) return true
    return /^SEARCH .* \(tenant_id=\?\)$/.test(detail) && (sorts || (narrowed && !OF_FEW.test(detail)))
  })
}

/**
 * What to do about costs of a statement, by the tables that it reads and the columns by which it chooses and orders their
 * rows.
 */
export const adviceFor = ({ sql }: Statement): string => {
  const chosen = sql.slice(sql.indexOf(' where '))
  const columns = Map.groupBy(chosen.matchAll(/"(\w+)"\."(\w+)"/g), ([, table = '']) => table)
  const read = [...columns]
    .filter(([table]) => !table.startsWith('_'))
    .map(([table, found]) => `${table} (${[...new Set(found.map(([, , column]) => column))].join(', ')})`)
  return `add an index in a new step, or take the filter out; it chooses and orders rows by ${read.join(' and ')}`
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** More rows than a page or a record ever needs. */
const MANY = 5000

/** Postgres executes the statement and counts rows. */
const inPostgres = async ({ app }: TestApp, { sql, parameters }: Statement): Promise<string[]> => {
  const { rows } = await app.database.read.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]),
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan as PlanNode
  return nodesOf(plan).flatMap((node) => {
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const touched = (node['Actual Rows'] + removed) * node['Actual Loops']
    return touched > MANY ? [`${node['Node Type']} ${node['Relation Name'] ?? ''} goes through ${touched} rows`] : []
  })
}
