import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '#db/database.ts'

const SOURCES = path.join(import.meta.dirname, '../../src')
const TABLE = /^    (\w+): \{$/
const COLUMN = /^      (\w+): /

/**
 * The columns of all tables as the modules declare them, by table. They are types, so they are read from the sources, which
 * the formatter keeps in this form.
 */
export const declaredColumns = (): Map<string, string[]> => {
  const columns = new Map<string, string[]>()
  for (const file of globSync('**/tables.ts', { cwd: SOURCES })) {
    const [, declared] = readFileSync(path.join(SOURCES, file), 'utf8').split(
      "\ndeclare module '#kernel/contract/tables.ts' {\n",
    )
    let table: string[] = []
    for (const line of declared?.split('\n}\n')[0]?.split('\n') ?? []) {
      const [, name] = TABLE.exec(line) ?? []
      if (name !== undefined) columns.set(name, (table = []))
      const [, column] = COLUMN.exec(line) ?? []
      if (column !== undefined) table.push(column)
    }
  }
  return columns
}

/** What a migrated database lacks of what the modules declare, and the reverse; each says what to do. */
export const differencesTo = async ({ schema }: Pick<Database, 'schema'>): Promise<string[]> => {
  const tables = new Map(
    (await schema.introspection.getTables()).map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  )
  return [...declaredColumns()].flatMap(([table, declared]) => {
    const found = tables.get(table)
    if (!found) return [`There is no table ${table}: is there a step, and is it in migrations/index.ts?`]
    return [
      ...declared
        .filter((column) => !found.includes(column))
        .map((column) => `Table ${table} has no column ${column}: is there a step, and is it in migrations/index.ts?`),
      ...found
        .filter((column) => !declared.includes(column))
        .map(
          (column) => `The column ${column} of table ${table} is not declared: it belongs in the module’s tables.ts.`,
        ),
    ]
  })
}

/** @throws an Error where a migrated database and the declared tables differ */
export const checkColumns = async (database: Database): Promise<void> => {
  const differences = await differencesTo(database)
  if (differences.length > 0) throw new Error(differences.join('\n'))
}
