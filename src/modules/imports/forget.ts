import type { ExpressionBuilder } from 'kysely'
import type { ScopedDb, Tables } from '#kernel/contract/tables.ts'

/**
 * Imports keep for a month what they read: the first rows as they would stand, and those that were refused. No row has
 * an id, so those of a person are known by what was written of them.
 */

export interface Written {
  first_name: string
  last_name: string
  email: string | null
  national_id: string | null
}

/** As the text stands within JSON, and so that nothing in it is a sign of a pattern. */
const pattern = (text: string): string =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

type Column = 'cells' | 'preview' | 'errors' | 'told'

const tells =
  (column: Column, { first_name: first, last_name: last, email, national_id: nationalId }: Written) =>
  // oxlint-disable-next-line typescript/no-explicit-any -- of either table
  (eb: ExpressionBuilder<Tables, any>) => {
    const has = (text: string) => eb(eb.cast(column, 'text'), 'like', pattern(text))
    return eb.or([
      eb.and([has(first), has(last)]),
      ...(email === null ? [] : [has(email)]),
      ...(nationalId === null ? [] : [has(nationalId)]),
    ])
  }

/** Takes a person out of what imports still show. */
export const forgetImported = async (whole: ScopedDb, written: Written): Promise<void> => {
  await whole.deleteFrom('import_refusal').where(tells('cells', written)).execute()
  for (const column of ['preview', 'errors', 'told'] as const) {
    await whole
      .updateTable('import')
      .set({ [column]: [] })
      .where('status', 'in', ['done', 'failed'])
      .where(tells(column, written))
      .execute()
  }
}
