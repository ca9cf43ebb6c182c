import type { Queries } from '#kernel/contract/tables.ts'

/** As many rows are looked through at once as nobody waits for. */
const PAGE = 1000

/** Tables whose rows say when they were written. */
export const WRITTEN_AT = { audit_entry: 'created_at', event: 'occurred_at', notification: 'created_at' } as const

/**
 * Calls `work` with the first and the last instant of each page of the rows of an institute, the oldest first.
 * @param tenantId for a handle that reaches those of others too
 */
export const eachPage = async (
  db: Queries,
  table: keyof typeof WRITTEN_AT,
  work: (from: string, to: string) => Promise<unknown>,
  tenantId?: string,
): Promise<void> => {
  const at = WRITTEN_AT[table] as 'created_at'
  let after: string | undefined
  for (;;) {
    let page = db
      .selectFrom(table as 'audit_entry')
      .select(`${at} as at`)
      .orderBy(at)
      .limit(PAGE)
    if (tenantId !== undefined) page = page.where('tenant_id', '=', tenantId)
    if (after !== undefined) page = page.where(at, '>', after)
    const rows = await page.execute()
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) return
    // All rows of the last instant belong to this page.
    await work(first.at, last.at)
    if (rows.length < PAGE) return
    after = last.at
  }
}
