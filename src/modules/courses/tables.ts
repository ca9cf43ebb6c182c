import type { Currency } from '#kernel/values/money.ts'
import type { Fixed, TableRules, TenantId } from '#kernel/contract/tables.ts'

export const DELIVERY_MODES = ['group', 'self_paced'] as const

declare module '#kernel/contract/tables.ts' {
  interface Tables {
    course: {
      id: Fixed<string>
      tenant_id: TenantId
      category_id: string
      code: string | null
      name: string
      description: string | null
      level: string | null
      default_fee_minor: number | null
      currency: Currency
      default_capacity: number | null
      color: string | null
      is_active: boolean
      is_public: boolean
      language: string | null
      delivery_mode: (typeof DELIVERY_MODES)[number]
      created_at: Fixed<string>
      updated_at: string
      search_text: string
    }
  }
}

export const courseTables: TableRules = { course: { kind: 'tenant' } }
