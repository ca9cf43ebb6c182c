import type { Json, TableRules } from '#kernel/contract/tables.ts'
import type { Recurring } from './figures-schemas.ts'

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    /** What nothing else keeps of a month: how it stood when it was last counted, which its end makes final. */
    platform_month: {
      /** As 2026-03, in UTC. */
      month: string
      students: number
      recurring: Json<Recurring[]>
      counted_at: string
    }
  }
}

export const platformTables: TableRules = { platform_month: { kind: 'system' } }
