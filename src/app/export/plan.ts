import type { OwnRows } from '#db/copies/tenant-snapshot.ts'
import type { TableRules } from '#kernel/contract/tables.ts'
import { isSecretName } from '#runtime/change/redact.ts'

/** What an export contains of one table. It is plain data, because another thread reads it. */
export interface ExportedTable {
  name: string
  rows: OwnRows
  /** Only these columns; undefined: all but the secret ones. */
  columns?: readonly string[]
  secrets: readonly string[]
  noSecrets: readonly string[]
}

/** The search index's copy of other columns, and the id that is the same in all rows. */
const REDUNDANT = new Set(['search_text', 'tenant_id'])

/** The tables of an export, by their rules: a table of a new module belongs to it without a change here. */
export const exportedTables = (rules: TableRules): ExportedTable[] => {
  const tables: ExportedTable[] = []
  for (const [name, rule] of Object.entries(rules)) {
    const table = { name, secrets: [], noSecrets: [] }
    if (rule.kind === 'tenant' || rule.kind === 'self') {
      const { secrets = [], noSecrets = [] } = rule
      const tenantColumn = rule.kind === 'self' ? 'id' : 'tenant_id'
      tables.push({ name, rows: { tenantColumn }, secrets, noSecrets })
    } else if (rule.exported === true) {
      tables.push({ ...table, rows: { tenantColumn: 'tenant_id' } })
    } else if (rule.exported) {
      const { of, column, columns } = rule.exported
      tables.push({ ...table, rows: { of, column }, columns })
    }
  }
  return tables.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const isSecret = ({ secrets, noSecrets }: ExportedTable, column: string): boolean =>
  secrets.includes(column) || (isSecretName(column) && !noSecrets.includes(column))

/** Which columns of a table an export contains. @param all the columns that the table has */
export const exportedColumns = (table: ExportedTable, all: readonly string[]): string[] =>
  all.filter(
    (column) => (table.columns?.includes(column) ?? true) && !REDUNDANT.has(column) && !isSecret(table, column),
  )
